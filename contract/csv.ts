/** Comma-separated files for people and their spreadsheets, the same whoever writes them: UTF-8, CRLF, RFC 4180 quotes. */

/** Without this mark Excel reads UTF-8 as the machine's old code page, and José becomes JosÃ©. Whatever reads CSV well skips it. */
export const BYTE_ORDER_MARK = '\ufeff'

// A spreadsheet calculates what begins like this, in any cell of any export: a name could send the whole table to a stranger.
const FORMULA = /^[=+\-@\t\r\n\0＝＋－＠]/
// Semicolon and tab stand between cells in other countries' spreadsheets; unquoted they would open a new cell in mid-text.
const NEEDS_QUOTES = /[",;\t\r\n]|^ | $/

/** One cell: made harmless where a spreadsheet would calculate it, then quoted where it must be. */
export function csvCell(value: string): string {
  const harmless = FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** One line with its end; what is not known is an empty cell. */
export const csvLine = (values: readonly (string | null | undefined)[]): string =>
  values.map(value => csvCell(value ?? '')).join(',') + '\r\n'

/** '2026-11-20 11:42:07' in UTC, which sorts and is understood everywhere. */
export const csvMoment = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ')
