/**
 * Lists of rows like '3-7, 12' of a bulk order. Rows count from 1, as in the table, in the result
 * file and on the labels.
 */
import { numberText } from './format.ts'

/** Inclusive. */
export type RowRange = [from: number, to: number]

/** Sorted ranges without overlap, or a sentence that names the piece and the remedy. */
export type RowList = { rows: RowRange[] } | { problem: string }

const ROW_LIST_EXAMPLE = 'Enter rows like 3-7, 12.'
/** An error repeats at most so many characters of a piece. */
const MAX_REPEATED_LENGTH = 20
/** Accepts a hyphen and the dashes that word processors make of it. */
const ROW_OR_RANGE = /^(\d+)(?:\s*[-\u2010-\u2015\u2212]\s*(\d+))?$/

/** Parses a list for a table of `total` rows: sorted and merged; superfluous commas are ignored. */
export function parseRowList(text: string, total: number): RowList {
  const pieces = text
    .split(/[,;\n]/)
    .map(piece => piece.trim())
    .filter(piece => piece !== '')
  if (pieces.length === 0) return { problem: `No rows entered. ${ROW_LIST_EXAMPLE}` }
  const rows: RowRange[] = []
  for (const piece of pieces) {
    const [, first, last = first] = ROW_OR_RANGE.exec(piece) ?? []
    if (first === undefined)
      return { problem: `“${shortenPiece(piece)}” is not a row or a range. ${ROW_LIST_EXAMPLE}` }
    const [from, to] = [Number(first), Number(last)]
    const missing = [first, last!].find(row => Number(row) < 1 || Number(row) > total)
    if (missing !== undefined)
      return {
        problem: `“${shortenPiece(piece)}”: row ${shortenPiece(missing)} does not exist. ${existingRowsText(total)}`,
      }
    if (from > to) return { problem: `“${shortenPiece(piece)}” is backwards. Enter ${to}-${from}.` }
    rows.push([from, to])
  }
  return { rows: mergeRanges(rows) }
}

export const rowCount = (rows: readonly RowRange[]): number =>
  rows.reduce((sum, [from, to]) => sum + to - from + 1, 0)

/** The shortest list of the rows: '3-7,12'. */
export const rowListText = (rows: readonly RowRange[]): string =>
  rows.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join()

function mergeRanges(rows: readonly RowRange[]): RowRange[] {
  const found: RowRange[] = []
  for (const [from, to] of rows.toSorted(([a], [b]) => a - b)) {
    const last = found.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else found.push([from, to])
  }
  return found
}

const existingRowsText = (total: number): string =>
  total === 1
    ? 'This bulk order has only row 1.'
    : `This bulk order has rows 1 to ${numberText(total)}.`
const shortenPiece = (piece: string): string =>
  piece.length > MAX_REPEATED_LENGTH ? `${piece.slice(0, MAX_REPEATED_LENGTH)}…` : piece
