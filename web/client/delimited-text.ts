/** Text of a file as a header and records of cells; what the cells mean is decided elsewhere. */
import Papa from 'papaparse'
import { texts } from './texts.ts'

export type CellTable = { header: string[]; records: string[][]; notices: string[] }

/** How a header is compared: 'TO ADDRESS 1', 'To_Address-1' and 'toaddress1' are one. */
export const headerKey = (header: string): string => header.toLowerCase().replace(/[^a-z0-9]+/g, '')

/** What stands between the cells: whatever the header line has most of, a comma if it has none. */
export function detectDelimiter(text: string): string {
  const line = firstLine(text)
  let best = ','
  for (const mark of ['\t', ';', '|'])
    if (line.split(mark).length > line.split(best).length) best = mark
  return best
}

/** The header's cells, to see what kind of file it is. */
export const parseHeaderLine = (text: string): string[] =>
  firstLine(text)
    .split(detectDelimiter(text))
    .map(cell => unquoteCell(cell.trim()).trim())

const firstLine = (text: string): string => /^[^\r\n]*/.exec(text)?.[0] ?? ''

const LEADING_BLANK_LINES = /^(?:[ \t]*[\r\n]+)+/
/** Without blank lines at the top and without the 'sep=;' line that spreadsheets write above the header. */
export const trimLeadingLines = (text: string): string =>
  text
    .replace(LEADING_BLANK_LINES, '')
    .replace(/^sep=.[ \t]*(?:\r\n?|\n)/i, '')
    .replace(LEADING_BLANK_LINES, '')

/** Lines end as most of the file has it; a carriage return inside a line of a file that has line feeds is a space. */
const normalizeLineEnds = (text: string): string =>
  text.includes('\n')
    ? text.replaceAll('\r\n', '\n').replaceAll('\r', ' ')
    : text.replaceAll('\r', '\n')

/** Reads separated values with standard quotes (RFC 4180). Lines without content are no records. */
export function parseQuotedCells(text: string): CellTable | { problem: string } {
  const parsed = Papa.parse<string[]>(normalizeLineEnds(text), {
    delimiter: detectDelimiter(text),
    newline: '\n',
    skipEmptyLines: 'greedy',
  })
  const notices: string[] = []
  for (const error of parsed.errors) {
    const line = error.row ?? 0
    if (error.code === 'MissingQuotes') {
      return { problem: texts.files.openQuote(line) }
    }
    if (error.code === 'InvalidQuotes') notices.push(texts.files.strayQuote(line))
  }
  const [header = [], ...records] = parsed.data
  return { header: header.map(cell => cell.trim()), records, notices: notices.slice(0, 20) }
}

/**
 * Reads a tab-separated marketplace export. Quotes mean nothing there: a product name that begins with one would swallow the
 * lines below (4 of 8 orders were read with standard quotes). Only a cell that is wrapped in quotes whole, as a
 * spreadsheet writes it when it saves such a file again, is taken out of them.
 */
export function parseTabbedCells(text: string): CellTable {
  const lines = normalizeLineEnds(text)
    .split('\n')
    .filter(line => line.trim() !== '')
  const [header = [], ...records] = lines.map(line =>
    line.split('\t').map(cell => unquoteCell(cell)),
  )
  return { header: header.map(cell => cell.trim()), records, notices: [] }
}

const unquoteCell = (cell: string): string =>
  cell.length > 1 && cell.startsWith('"') && /^"(?:[^"]|"")*"$/.test(cell)
    ? cell.slice(1, -1).replaceAll('""', '"')
    : cell

/**
 * A cell as it was meant: without the apostrophe that keeps a formula asleep in a result file, and without the ="04101" that
 * people write to keep a zero.
 */
export const unescapeCell = (cell: string): string => {
  const first = cell.charCodeAt(0)
  if (first !== 0x27 && first !== 0x3d) return cell
  return cell.replace(/^'(?=[=+\-@])/, '').replace(/^="([^"]*)"$/, '$1')
}
