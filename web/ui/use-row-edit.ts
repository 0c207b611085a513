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
  /** One object for each `begin`: a row that was opened again is another edit. */
  const [edit, setEdit] = useState<{ key: string } | null>(null)
  /** As `edit`, also for functions of earlier renders. */
  const current = useRef(edit)
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
    current.current = { key }
    setEdit(current.current)
    focusAfterRender(ids.first)
  }
  /** Whether the edit of this render still goes on: a late answer about it concerns no other edit. */
  const isCurrent = (): boolean => edit !== null && current.current === edit
  /** Ends the edit of this render; does nothing once that has ended. */
  const stop = () => {
    if (!edit || !isCurrent()) return
    current.current = null
    setEdit(null)
    onEnd?.()
    focusAfterRender(ids.button(edit.key))
  }
  const focusFirstInvalid = (): void => {
    if (!isCurrent()) return
    focusFirstErrorSoon(() => document.getElementById(ids.form)?.closest('tr') ?? document)
  }
  /** Escape first closes an open list, which Mantine does. `cancel` replaces stopping at once, to ask first. */
  const cancelOnEscape = (event: KeyboardEvent, cancel = stop) => {
    // React bubbles events of dialogs and menus that are elsewhere in the document.
    if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return
    const listOpen =
      event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true'
    if (event.key === 'Escape' && edit !== null && !listOpen) cancel()
  }
  return {
    editing: edit?.key ?? null,
    ids,
    isTableRow,
    begin,
    stop,
    isCurrent,
    focusFirstInvalid,
    cancelOnEscape,
  }
}
