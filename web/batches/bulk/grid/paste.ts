/** Pastes spreadsheet cells into the table. */
import { readCsvCell } from '#contract/csv.ts'
import type { BulkRow, RowField } from '#contract/rows.ts'
import { withCell } from '#web/batches/grid-row.ts'
import { splitSize, typedValue } from './cell-values.ts'
import { SIZE_FIELDS } from './columns.ts'
import type { ColumnKey } from './row-filter.ts'

/**
 * Clipboard text as lines of cells. Quotes count only around a cell that ends right after them:
 * spreadsheets quote cells with a tab, line break or quote, and do not escape other quotes.
 */
export function parseClipboard(text: string): string[][] {
  const plain = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  if (plain === '') return []
  const lines: string[][] = [[]]
  let at = 0
  for (;;) {
    const cell = readQuotedCell(plain, at) ?? readPlainCell(plain, at)
    lines.at(-1)!.push(cell.text)
    if (cell.end >= plain.length) return lines
    if (plain[cell.end] === '\n') lines.push([])
    at = cell.end + 1
  }
}

type ClipboardCell = { text: string; end: number }

function readPlainCell(text: string, from: number): ClipboardCell {
  let end = from
  while (end < text.length && text[end] !== '\t' && text[end] !== '\n') end += 1
  return { text: text.slice(from, end), end }
}

function readQuotedCell(text: string, from: number): ClipboardCell | null {
  if (text[from] !== '"') return null
  for (let quote = text.indexOf('"', from + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    if (text[quote + 1] === '"') {
      quote += 1
      continue
    }
    const end = quote + 1
    const closes = end === text.length || text[end] === '\t' || text[end] === '\n'
    return closes ? { text: text.slice(from + 1, quote).replaceAll('""', '"'), end } : null
  }
  return null
}

export type PasteAnchor = { row: number; column: number }

/** `changedIndexes`: rows that are new objects. `ignoredCells`: cells beyond the table. `setFields`: those that the block writes to. */
type RowsAfterPaste<Row> = {
  rows: Row[]
  changedIndexes: number[]
  changedCells: number
  ignoredCells: number
  setFields: RowField[]
}

/**
 * The fields that the columns write to, null for price and file, and the cells with a size in three. A
 * spreadsheet may have the size in one column or in three.
 */
function withSizesApart(
  cells: string[][],
  columns: readonly ColumnKey[],
): { names: (RowField | null)[]; lines: string[][] } {
  const names = columns.flatMap((key): (RowField | null)[] =>
    key === 'size' ? [...SIZE_FIELDS] : [key === 'price' || key === 'file' ? null : key],
  )
  const at = columns.indexOf('size')
  const sizes = at < 0 ? [] : cells.flatMap(line => line[at] ?? [])
  const inOneColumn = sizes.some(text => splitSize(text)) || sizes.every(text => text.trim() === '')
  if (sizes.length === 0 || !inOneColumn) return { names, lines: cells }
  const lines = cells.map(line => {
    const text = line[at]
    return text === undefined ? line : line.toSpliced(at, 1, ...(splitSize(text) ?? [text, '', '']))
  })
  return { names, lines }
}

/**
 * Whether a clipboard holds several cells. Lines alone may be an address, so they count only where the
 * spreadsheet says that they are cells, in the HTML beside the text.
 */
export function isBlock(text: string, html: string): boolean {
  const lines = parseClipboard(text)
  return lines.some(line => line.length > 1) || (lines.length > 1 && /<t[dr]\b/i.test(html))
}

const SIZE_NAMES: ReadonlySet<RowField> = new Set(SIZE_FIELDS)

/**
 * The columns that a block fills from a field of a card on, in the order of its fields. A whole size is
 * one column, as a spreadsheet may have it in one.
 */
export function columnsFrom(fields: readonly RowField[], first: RowField): ColumnKey[] {
  const rest = fields.slice(Math.max(0, fields.indexOf(first)))
  const isWholeSize = rest.includes(SIZE_FIELDS[0])
  return rest.flatMap((name): ColumnKey[] =>
    !isWholeSize || !SIZE_NAMES.has(name) ? [name] : name === SIZE_FIELDS[0] ? ['size'] : [],
  )
}

/** Copies the cells until they fill a range that they fit in without a rest; one cell fills any range. */
export function tileCells(cells: string[][], height: number, width: number): string[][] {
  const lines = cells.length
  const [first = []] = cells
  const even = cells.every(line => line.length === first.length)
  if (!even || lines === 0 || height % lines !== 0 || width % first.length !== 0) return cells
  return Array.from({ length: height }, (_, down) =>
    Array.from({ length: width }, (__, right) => cells[down % lines]![right % first.length]!),
  )
}

/**
 * Writes cells from the anchor to the right and down. Never adds rows or columns; one copied cell
 * fills one cell. Unchanged rows stay the same objects. `order`: indexes of the rows as they are
 * shown, where that is not the order of the table.
 */
export function applyPaste<Row extends BulkRow>(
  rows: readonly Row[],
  anchor: PasteAnchor,
  cells: string[][],
  columns: readonly ColumnKey[],
  order: readonly number[] | null = null,
): RowsAfterPaste<Row> {
  const { names, lines } = withSizesApart(cells, columns.slice(anchor.column))
  const next = [...rows]
  const changedIndexes: number[] = []
  let changedCells = 0
  let ignoredCells = 0
  lines.forEach((line, down) => {
    const shown = anchor.row + down
    const index = order ? order[shown] : shown
    const old = index === undefined ? undefined : next[index]
    let row = old
    line.forEach((cell, right) => {
      const name = names[right]
      if (name === null) return
      if (!row || !name) {
        ignoredCells += 1
        return
      }
      const text = typedValue(name, readCsvCell(cell))
      if (row[name] === text) return
      row = withCell(row, name, text)
      changedCells += 1
    })
    if (index === undefined || !row || row === old) return
    next[index] = row
    changedIndexes.push(index)
  })
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0)
  const setFields = names.slice(0, width).filter(name => name !== null)
  return { rows: next, changedIndexes, changedCells, ignoredCells, setFields }
}
