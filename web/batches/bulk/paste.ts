/** Pastes spreadsheet cells into the table. */
import { fieldByName } from '#contract/rows.ts'
import type { BulkRow, RowField } from '#contract/rows.ts'
import { tidyWithin } from '#contract/text.ts'
import { withCell } from '#web/batches/grid-row.ts'

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

/** Indexes of the first row and column. */
export type PasteAnchor = { row: number; column: number }

/** `changedIndexes`: rows that are new objects. `ignoredCells`: cells beyond the table. */
export type RowsAfterPaste<Row> = { rows: Row[]; changedIndexes: number[]; ignoredCells: number }

/**
 * Writes cells from the anchor to the right and down. Never adds rows or columns; one copied cell
 * fills one cell. Unchanged rows stay the same objects.
 */
export function applyPaste<Row extends BulkRow>(
  rows: readonly Row[],
  anchor: PasteAnchor,
  cells: string[][],
  columns: readonly RowField[],
): RowsAfterPaste<Row> {
  const next = [...rows]
  const changedIndexes: number[] = []
  let ignoredCells = 0
  cells.forEach((line, down) => {
    const index = anchor.row + down
    const old = next[index]
    let row = old
    line.forEach((cell, right) => {
      const name = columns[anchor.column + right]
      if (!row || !name) {
        ignoredCells += 1
        return
      }
      const text = tidyWithin(cell, fieldByName(name).max)
      if (row[name] !== text) row = withCell(row, name, text)
    })
    if (!row || row === old) return
    next[index] = row
    changedIndexes.push(index)
  })
  return { rows: next, changedIndexes: changedIndexes, ignoredCells: ignoredCells }
}
