/** Keyboard navigation of the grid. The last two columns are the buttons of a row. */
import type { GridPosition } from './selection.ts'

type KeyPress = { key: string; ctrl: boolean }

/** Null if the key does not move. `page`: number of visible rows. */
export function cellAfterKey(
  from: GridPosition,
  { key, ctrl }: KeyPress,
  rows: number,
  columns: number,
  page: number,
): GridPosition | null {
  const { row, column } = from
  const to = (nextRow: number, nextColumn: number): GridPosition => ({
    row: Math.min(rows - 1, Math.max(0, nextRow)),
    column: Math.min(columns - 1, Math.max(0, nextColumn)),
  })
  switch (key) {
    case 'ArrowUp':
      return to(ctrl ? 0 : row - 1, column)
    case 'ArrowDown':
      return to(ctrl ? rows - 1 : row + 1, column)
    case 'ArrowLeft':
      return to(row, ctrl ? 0 : column - 1)
    case 'ArrowRight':
      return to(row, ctrl ? columns - 1 : column + 1)
    case 'Home':
      return to(ctrl ? 0 : row, 0)
    case 'End':
      return to(ctrl ? rows - 1 : row, columns - 1)
    case 'PageUp':
      return to(row - page, column)
    case 'PageDown':
      return to(row + page, column)
    default:
      return null
  }
}
