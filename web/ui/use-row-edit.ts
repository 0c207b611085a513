import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { focusFirstError } from './Form.tsx'

/** After React has drawn the row anew. */
const focusAfterRender = (id: string) =>
  requestAnimationFrame(() => document.getElementById(id)?.focus())

/**
 * A table one row of which is edited in place. Ids begin with `name`: the form stands in the row's last cell (`ids.form`), its
 * fields in the cells before, the first of them under `ids.first`; `ids.button(key)` is the button that began. `stopped` is told
 * when it is over, however that came.
 */
export function useRowEdit(name: string, stopped?: () => void) {
  const [editing, setEditing] = useState<string | null>(null)
  const ids = {
    form: `${name}-row`,
    first: `${name}-row-first`,
    button: (key: string) => `edit-${name}-${key}`,
  }

  const begin = (key: string) => {
    setEditing(key)
    focusAfterRender(ids.first)
  }
  const stop = (key: string) => {
    setEditing(null)
    stopped?.()
    focusAfterRender(ids.button(key))
  }
  /** Takes the eye to the first bad field. */
  const focusFirstInvalid = (): void => {
    requestAnimationFrame(() =>
      focusFirstError(document.getElementById(ids.form)?.closest('tr') ?? document),
    )
  }
  const stopNow = () => {
    if (editing !== null) stop(editing)
  }
  /** Escape closes an open list first; the kit has dealt with it by then. `cancel` where something is asked before. */
  const cancelOnEscape = (event: KeyboardEvent, cancel = stopNow) => {
    // Dialogs and menus that were opened from here stand elsewhere in the document.
    if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return
    const listOpen =
      event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true'
    if (event.key === 'Escape' && editing !== null && !listOpen) cancel()
  }
  return { editing, ids, begin, stop, focusFirstInvalid, cancelOnEscape }
}
