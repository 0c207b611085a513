import type { ClipboardEvent, KeyboardEvent } from 'react'
import { cellAfterKey } from './grid-keys.ts'
import type { GridPosition } from './selection.ts'
import { keyAt } from './use-grid.ts'
import type { GridModel, MenuPlace } from './use-grid.ts'

/** The cell of an event as a place in the shown table, or null. */
export function cellOf(target: EventTarget | null): GridPosition | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  return cell ? { row: Number(cell.dataset.row), column: Number(cell.dataset.column) } : null
}

export function placeOf(element: Element): MenuPlace {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { left, top, width, height }
}

const isEditorField = (target: EventTarget): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement

/** One character without Ctrl, Cmd or Alt. */
const isTyping = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey

type KeyOptions = {
  /** Rows that are visible at once. */
  pageRows: () => number
  focusHead: (column: number) => void
  focusSearch: () => void
}

/** Keys and clipboard of the cells. Keys of the heads and of editors are handled there. */
export function useGridKeys(grid: GridModel, { pageRows, focusHead, focusSearch }: KeyOptions) {
  const { table, view, columns, lastColumn, edits } = grid

  const moved = (event: KeyboardEvent, cell: GridPosition): boolean => {
    const ctrl = event.ctrlKey || event.metaKey
    const next = cellAfterKey(
      cell,
      { key: event.key, ctrl },
      view.count,
      lastColumn + 3,
      pageRows(),
    )
    if (!next) return false
    if (event.shiftKey) grid.extendTo(next, true)
    else if (event.key === 'ArrowUp' && cell.row === 0 && !ctrl) focusHead(cell.column)
    else grid.selectCell(next, true)
    return true
  }
  const shortcut = (event: KeyboardEvent): boolean => {
    switch (event.key.toLowerCase()) {
      case 'a':
        grid.selectAll()
        return true
      case 'd':
        edits.fillDown(grid.chosen, grid.range)
        return true
      case 'f':
        focusSearch()
        return true
      case 'x':
        // The copy event of this command fills the clipboard.
        document.execCommand('copy')
        edits.cut(grid.chosen, grid.range)
        return true
      case 'y':
        table.redo()
        return true
      case 'z':
        if (event.shiftKey) table.redo()
        else table.undo()
        return true
      default:
        return false
    }
  }
  const openRowsMenu = (event: KeyboardEvent, cell: GridPosition) => {
    const element = (event.target as Element).closest('[data-column]')
    if (!element) return
    if (!grid.isRange) grid.selectCell(cell, false)
    grid.openMenu({ kind: 'rows', place: placeOf(element) })
  }
  const remove = () => {
    const isCells = grid.isRange && !grid.selection.rows
    if (isCells) edits.clear(grid.chosen, grid.range)
    else table.requestDelete(grid.chosen)
  }
  const act = (event: KeyboardEvent, cell: GridPosition): boolean => {
    const { key, shiftKey } = event
    const index = view.rowAt(cell.row)
    const isButton = cell.column > lastColumn
    if (key === 'ContextMenu' || (shiftKey && key === 'F10')) openRowsMenu(event, cell)
    else if (key === ' ' && (shiftKey || cell.column === 0)) grid.selectRow(cell, false, true)
    else if (key === 'Enter' && cell.column === 0) grid.selectRow(cell, false, true)
    else if (key === 'F2' || (key === 'Enter' && !isButton))
      table.editCell(index, keyAt(columns, cell.column), null)
    else if (key === 'Delete') remove()
    else if (key === 'Backspace' && !isButton) edits.clear(grid.chosen, grid.range)
    else if (key === 'Escape') grid.selectCell(cell, false)
    else if (isTyping(event) && key !== ' ' && !isButton)
      return table.editCell(index, keyAt(columns, cell.column), key)
    else return false
    return true
  }
  const handleKey = (event: KeyboardEvent) => {
    const cell = cellOf(event.target)
    if (!cell || event.altKey || isEditorField(event.target)) return
    const ctrl = event.ctrlKey || event.metaKey
    const done =
      ctrl && event.key === ' '
        ? selectColumnAt(cell)
        : moved(event, cell) || (ctrl && shortcut(event)) || (!ctrl && act(event, cell))
    if (done) event.preventDefault()
  }
  const selectColumnAt = ({ column }: GridPosition): boolean => {
    const shown = columns[column - 1]
    if (shown) grid.selectColumn(shown)
    return shown !== undefined
  }
  const copy = (event: ClipboardEvent) => {
    if (!cellOf(event.target) || isEditorField(event.target)) return
    event.preventDefault()
    const { text, table: html } = edits.copy(grid.chosen, grid.range)
    event.clipboardData.setData('text/plain', text)
    event.clipboardData.setData('text/html', html)
  }
  const paste = (event: ClipboardEvent) => {
    const cell = cellOf(event.target)
    if (!cell || isEditorField(event.target) || cell.column > lastColumn) return
    event.preventDefault()
    edits.paste(grid.range, event.clipboardData.getData('text/plain'))
  }
  return { handleKey, copy, paste }
}
