import Papa from 'papaparse'
import { readCsvCell } from '#contract/csv.ts'
import { decodeText, letterNotices, notTextProblem } from './decode-text.ts'
import { detectDelimiter, trimSeparatorLine } from './delimited-text.ts'

/**
 * All rows of a .csv to the last filled one, numbered as a spreadsheet shows them. `notices`: sentences
 * about letters to check.
 */
export function readCsvRows(
  bytes: Uint8Array,
): { rows: string[][]; notices: string[] } | { problem: string } {
  const unreadable = notTextProblem(bytes)
  if (unreadable !== null) return { problem: unreadable }
  const decoded = decodeText(bytes)
  const text = trimSeparatorLine(decoded.text)
  const delimiter = detectDelimiter(/^[^\r\n]*/.exec(text)?.[0] ?? '')
  const { data } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: false })
  const rows = data.map(row => row.map(cell => readCsvCell(cell).trim()))
  const end = rows.findLastIndex(row => row.some(cell => cell !== '')) + 1
  return { rows: rows.slice(0, end), notices: letterNotices(decoded) }
}
