/** The text of a cell in a file of a spreadsheet or another program. */
import { readCsvCell } from '#contract/csv.ts'

const FORMULA_TEXT = /^="([^"]*)"$/

/**
 * The text of a cell: without the apostrophe or the ="…" that keep a spreadsheet from changing it,
 * and without spaces at the ends. `isCode`: ids, phones and the like never begin with an apostrophe.
 */
export function readCell(cell: string | undefined, isCode = false): string {
  if (!cell) return ''
  const isTrimmed = isVisible(cell.charCodeAt(0)) && isVisible(cell.charCodeAt(cell.length - 1))
  const text = isTrimmed ? cell : cell.trim()
  const first = text.charCodeAt(0)
  if (first === 0x27) return isCode ? text.replace(/^'+/, '') : readCsvCell(text)
  return first === 0x3d ? text.replace(FORMULA_TEXT, '$1').trim() : text
}

/** Visible in ASCII. */
const isVisible = (code: number): boolean => code > 0x20 && code < 0x7f
