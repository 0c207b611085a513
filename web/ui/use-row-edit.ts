import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { focusFirstErrorSoon } from './Form.tsx'

/** After React has rendered the row. */
const focusAfterRender = (id: string) =>
  requestAnimationFrame(() => document.getElementById(id)?.focus())

/**
 * Edits one row of a table in place. Element ids begin with `name`: `ids.form` is the form in the row's last cell, `ids.first`
 * the first field, `ids.button(key)` the Edit button. `onEnd` runs after saving and after cancelling.
 */
export function useRowEdit(name: string, onEnd?: () => void) {
  const [editing, setEditing] = useState<string | null>(null)
  /** As `editing`, also for an answer that comes after another row was opened. */
  const current = useRef<string | null>(null)
  const ids = {
    form: `${name}-row`,
    first: `${name}-row-first`,
    button: (key: string) => `edit-${name}-${key}`,
  }

  /** False where the list shows cards, which have no cells for fields. */
  const isTableRow = (key: string): boolean => {
    const button = document.getElementById(ids.button(key))
    return button !== null && button.closest('tr') !== null
  }
  const begin = (key: string) => {
    current.current = key
    setEditing(key)
    focusAfterRender(ids.first)
  }
  /** Does nothing if another row is edited now. */
  const stop = (key: string) => {
    if (current.current !== key) return
    current.current = null
    setEditing(null)
    onEnd?.()
    focusAfterRender(ids.button(key))
  }
  const focusFirstInvalid = (): void => {
    focusFirstErrorSoon(() => document.getElementById(ids.form)?.closest('tr') ?? document)
  }
  const stopNow = () => {
    if (editing !== null) stop(editing)
  }
  /** Escape first closes an open list, which Mantine does. `cancel` replaces stopping at once, to ask first. */
  const cancelOnEscape = (event: KeyboardEvent, cancel = stopNow) => {
    // React bubbles events of dialogs and menus that are elsewhere in the document.
    if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return
    const listOpen =
      event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true'
    if (event.key === 'Escape' && editing !== null && !listOpen) cancel()
  }
  return { editing, ids, isTableRow, begin, stop, focusFirstInvalid, cancelOnEscape }
}
