/** Parses delimited text into a header and records of cells. */
import Papa from 'papaparse'
import { texts } from './texts.ts'

export type CellTable = { header: string[]; records: string[][]; notices: string[] }

/** 'TO ADDRESS 1', 'To_Address-1' and 'toaddress1' have the same key. */
export const headerKey = (header: string): string => header.toLowerCase().replace(/[^a-z0-9]+/g, '')

/** The delimiter that the header line has most of; a comma when it has none. */
export function detectDelimiter(text: string): string {
  const line = firstLine(text)
  let best = ','
  for (const mark of ['\t', ';', '|'])
    if (line.split(mark).length > line.split(best).length) best = mark
  return best
}

export const parseHeaderLine = (text: string): string[] =>
  firstLine(text)
    .split(detectDelimiter(text))
    .map(cell => unquoteCell(cell.trim()).trim())

const firstLine = (text: string): string => /^[^\r\n]*/.exec(text)?.[0] ?? ''

const LEADING_BLANK_LINES = /^[ \t\r\n]*[\r\n]/
/** Removes blank lines at the top and the 'sep=;' line that spreadsheets write above the header. */
export const trimLeadingLines = (text: string): string =>
  text
    .replace(LEADING_BLANK_LINES, '')
    .replace(/^sep=.[ \t]*(?:\r\n?|\n)/i, '')
    .replace(LEADING_BLANK_LINES, '')

/** In a file with line feeds, a carriage return inside a line becomes a space. */
const normalizeLineEnds = (text: string): string =>
  text.includes('\n')
    ? text.replaceAll('\r\n', '\n').replaceAll('\r', ' ')
    : text.replaceAll('\r', '\n')

// After each misplaced quote the parser reads the spaces before the next cell: quadratic.
const LONG_SPACES = / {16,}/g
const LONG_SPACES_AND_TABS = /[^\S\n]{16,}/g

/** Parses values with standard quotes (RFC 4180). Blank lines are skipped. */
export function parseQuotedCells(text: string): CellTable | { problem: string } {
  const delimiter = detectDelimiter(text)
  const spaces = delimiter === '\t' ? LONG_SPACES : LONG_SPACES_AND_TABS
  const lines = normalizeLineEnds(text)
  const parsed = Papa.parse<string[]>(text.includes('"') ? lines.replace(spaces, ' ') : lines, {
    delimiter,
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
 * Parses a tab-separated marketplace export. Quotes are plain characters there: a product name that begins with one would
 * swallow the lines below (with standard quotes 4 of 8 orders were read). Only a cell that is wrapped in quotes whole, as
 * spreadsheets write it, is unwrapped.
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
