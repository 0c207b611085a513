/** CSV files for people and their spreadsheets: UTF-8, CRLF, RFC 4180 quotes. */

/**
 * Without it Excel reads UTF-8 as the machine's legacy code page, and José becomes JosÃ©. Other CSV
 * readers skip it.
 */
export const BYTE_ORDER_MARK = '\ufeff'

// A spreadsheet evaluates cells that begin like this: a formula in a name could send the whole
// table to a stranger.
// After the control characters, all signs that compatibility normalization (UAX 15) turns into one
// of = + - @. Other programs put an apostrophe before figures, to keep them text; these get one more, which a reader takes off.
const FORMULA =
  /^'+['\d(#$.]|^'*[=+\-@\t\r\n\0\u207a-\u207c\u208a-\u208c\u2212\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]/
// Semicolon and tab separate cells in some locales; unquoted they would start a new cell.
const NEEDS_QUOTES = /[",;\t\r\n]|^ | $/

/** A formula becomes text by a leading apostrophe; `readCsvCell` takes it off. */
export const defuseFormula = (value: string): string => (FORMULA.test(value) ? `'${value}` : value)

/** One cell: a formula is defused with a leading ', then quotes are added where needed. */
export function csvCell(value: string): string {
  const harmless = defuseFormula(value)
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/**
 * The text of a cell, without its quotes: undoes `csvCell`, and reads the ="04101" of spreadsheets,
 * which keeps a leading zero.
 */
export function readCsvCell(cell: string): string {
  const first = cell.charCodeAt(0)
  if (first === 0x27) return FORMULA.test(cell) ? cell.slice(1) : cell
  return first === 0x3d ? cell.replace(/^="([^"]*)"$/, '$1') : cell
}

/** One line with its CRLF; null is an empty cell. */
export const csvLine = (values: readonly (string | null | undefined)[]): string =>
  values.map(value => csvCell(value ?? '')).join(',') + '\r\n'

/** '2026-11-20 11:42:07' in UTC, which sorts as text. */
export const csvMoment = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ')
