/**
 * Which rows of a bulk order are meant by '3-7, 12', asked by the server before it prints them and by the form before it sends.
 * Rows are counted from 1, as in the table, in the result file and on the labels.
 */
import { numberText } from './format.ts'

/** From one row to another, both meant. */
export type RowRange = [from: number, to: number]

/** The first rows without overlap, or a sentence that names the piece and the remedy. */
export type RowList = { rows: RowRange[] } | { problem: string }

const ROW_LIST_EXAMPLE = 'Write rows like 3-7, 12.'
/** Of a piece that makes no sense, so much is repeated. */
const MAX_REPEATED_LENGTH = 20
/** A hyphen, or a dash that a word processor has made of it. */
const ROW_OR_RANGE = /^(\d+)(?:\s*[-\u2010-\u2015\u2212]\s*(\d+))?$/

/**
 * The rows of a table of `total` rows that a list names: merged and in the order of the table, whatever order they are written in;
 * a row named twice is meant once. Commas left over are passed over.
 */
export function parseRowList(text: string, total: number): RowList {
  const pieces = text
    .split(/[,;\n]/)
    .map(piece => piece.trim())
    .filter(piece => piece !== '')
  if (pieces.length === 0) return { problem: `No rows are named. ${ROW_LIST_EXAMPLE}` }
  const rows: RowRange[] = []
  for (const piece of pieces) {
    const [, first, last = first] = ROW_OR_RANGE.exec(piece) ?? []
    if (first === undefined)
      return { problem: `“${shortenPiece(piece)}” is no row and no range. ${ROW_LIST_EXAMPLE}` }
    const [from, to] = [Number(first), Number(last)]
    const missing = [first, last!].find(row => Number(row) < 1 || Number(row) > total)
    if (missing !== undefined)
      return {
        problem: `“${shortenPiece(piece)}”: there is no row ${shortenPiece(missing)}. ${existingRowsText(total)}`,
      }
    if (from > to)
      return { problem: `“${shortenPiece(piece)}” runs backwards. Write ${to}-${from}.` }
    rows.push([from, to])
  }
  return { rows: mergeRanges(rows) }
}

/** How many rows the ranges of a list have. */
export const rowCount = (rows: readonly RowRange[]): number =>
  rows.reduce((sum, [from, to]) => sum + to - from + 1, 0)

/** The same rows as the shortest list: '3-7,12'. */
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
  total === 1 ? 'This bulk order has row 1 only.' : `Rows go from 1 to ${numberText(total)}.`
const shortenPiece = (piece: string): string =>
  piece.length > MAX_REPEATED_LENGTH ? `${piece.slice(0, MAX_REPEATED_LENGTH)}…` : piece
