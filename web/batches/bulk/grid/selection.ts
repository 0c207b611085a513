/** Ranges of cells as places in the shown table: rows and columns from 0, ends included. */
export type GridPosition = { row: number; column: number }
export type CellRange = { top: number; bottom: number; left: number; right: number }

/** The rectangle between two corners. */
const rangeBetween = (a: GridPosition, b: GridPosition): CellRange => ({
  top: Math.min(a.row, b.row),
  bottom: Math.max(a.row, b.row),
  left: Math.min(a.column, b.column),
  right: Math.max(a.column, b.column),
})

export const cellsIn = ({ top, bottom, left, right }: CellRange): number =>
  (bottom - top + 1) * (right - left + 1)

export const isInRange = ({ row, column }: GridPosition, range: CellRange): boolean =>
  row >= range.top && row <= range.bottom && column >= range.left && column <= range.right

/**
 * What is chosen: the range from `anchor` to the active cell, or, with `rows`, its whole rows and
 * those of `others`, which were chosen before with Ctrl.
 */
export type Selection = {
  anchor: GridPosition
  head: GridPosition
  rows: boolean
  others: readonly { top: number; bottom: number }[]
}

/** Starts a new selection at a cell. */
export const selectCell = (cell: GridPosition): Selection => ({
  anchor: cell,
  head: cell,
  rows: false,
  others: [],
})

/** The same anchor up to another cell. */
export const extendTo = (selection: Selection, head: GridPosition): Selection => ({
  ...selection,
  head,
})

/** A whole row; with `keep`, beside the rows that are chosen already. */
export function selectRow(cell: GridPosition, before: Selection | null, keep: boolean): Selection {
  const others = keep && before?.rows ? [...before.others, rowsOf(before)] : []
  return { anchor: cell, head: cell, rows: true, others }
}

const rowsOf = ({ anchor, head }: Selection): { top: number; bottom: number } => ({
  top: Math.min(anchor.row, head.row),
  bottom: Math.max(anchor.row, head.row),
})

/** The chosen range within the columns `first` to `last`; whole rows have all of them. */
export function selectedRange(selection: Selection, first: number, last: number): CellRange {
  const { anchor, head, rows } = selection
  if (rows) return { ...rowsOf(selection), left: first, right: last }
  const range = rangeBetween(anchor, head)
  const within = (column: number) => Math.min(last, Math.max(first, column))
  return { ...range, left: within(range.left), right: within(range.right) }
}

/** The places of all chosen rows, each once, from the top. */
export function selectedRows(selection: Selection): number[] {
  const places = new Set<number>()
  for (const { top, bottom } of [rowsOf(selection), ...selection.others]) {
    for (let place = top; place <= bottom; place += 1) places.add(place)
  }
  return [...places].toSorted((a, b) => a - b)
}

/** Whether a row is chosen; cheaper than `selectedRows` for one row. */
export const isRowSelected = (selection: Selection, place: number): boolean =>
  [rowsOf(selection), ...selection.others].some(
    ({ top, bottom }) => place >= top && place <= bottom,
  )
