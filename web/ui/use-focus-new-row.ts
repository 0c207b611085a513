import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { isFocusLost } from './use-return-focus.ts'

/** Returns what to call at the click: the first new row of `list` then gets the focus, unless it has moved elsewhere. */
export function useFocusNewRow(list: RefObject<HTMLElement | null>): () => void {
  const before = useRef<{ last: Element; button: Element | null } | null>(null)
  // After each rendering: rows may arrive late.
  useEffect(() => {
    if (!before.current || !list.current) return
    const { last, button } = before.current
    const row = last.nextElementSibling
    if (last.isConnected && !row) return
    before.current = null
    const active = document.activeElement
    const isFree = isFocusLost() || active === button || active?.contains(list.current)
    if (!isFree || !(row instanceof HTMLElement)) return
    row.tabIndex = -1
    row.focus()
  })
  return () => {
    const last = list.current?.lastElementChild
    before.current = last ? { last, button: document.activeElement } : null
  }
}
