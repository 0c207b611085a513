/** Parses delimited text into rows of cells. */
import Papa from 'papaparse'
import { splitRows } from './split-rows.ts'
import type { NeededColumns, SplitRows } from './split-rows.ts'
import { texts } from './texts.ts'

export { headerKey } from './header-key.ts'

/** `rows`: without blank lines. */
export type CellRows = { rows: string[][]; notices: string[] }
export type CellTable = { header: string[]; records: string[][]; notices: string[] }

export const DELIMITERS = [',', '\t', ';', '|'] as const

/** The delimiter that the line has most of; a comma when it has none. */
export function detectDelimiter(line: string): string {
  let best = ','
  for (const mark of DELIMITERS) if (countOf(line, mark) > countOf(line, best)) best = mark
  return best
}

const countOf = (line: string, mark: string): number => line.split(mark).length

/** The cells of one line without line breaks inside cells. */
export const splitLine = (line: string, delimiter: string): string[] =>
  line.split(delimiter).map(cell => unquoteCell(cell.trim()).trim())

const firstLine = (text: string): string => /^[^\r\n]*/.exec(text)?.[0] ?? ''

const LEADING_BLANK_LINES = /^[ \t\r\n]*[\r\n]/
/** Removes the 'sep=;' line that spreadsheets write above the header and do not show. */
export const trimSeparatorLine = (text: string): string =>
  text.replace(/^"?sep=."?[ \t]*(?:\r\n?|\n)/i, '')

/** Removes blank lines at the top and the separator line. */
export const trimLeadingLines = (text: string): string =>
  trimSeparatorLine(text.replace(LEADING_BLANK_LINES, '')).replace(LEADING_BLANK_LINES, '')

/** In a file with line feeds, a carriage return inside a line becomes a space. */
const normalizeLineEnds = (text: string): string =>
  text.includes('\n')
    ? text.replaceAll('\r\n', '\n').replaceAll('\r', ' ')
    : text.replaceAll('\r', '\n')

// After each misplaced quote the parser reads the spaces before the next cell: quadratic.
const LONG_SPACES = / {16,}/g
const LONG_SPACES_AND_TABS = /[^\S\n]{16,}/g
const SPACE = /\s/
const LINE_FEED = 0x0a

const LONG = 16

/** Whether a line has 16 spaces in a row: such a run has one at every 16th place of the text. */
function hasLongSpaces(text: string): boolean {
  for (let at = LONG - 1; at < text.length; at += LONG) {
    if (!isSpace(text, at)) continue
    let start = at
    while (start > 0 && isSpace(text, start - 1)) start -= 1
    let end = at + 1
    while (end < text.length && isSpace(text, end)) end += 1
    if (end - start >= LONG) return true
  }
  return false
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 0xa0 ? code <= 0x20 && code !== LINE_FEED : SPACE.test(text.charAt(at))
}

/** A row with a text beside spaces. */
const isFilled = (row: readonly string[]): boolean => row.some(cell => cell.trim() !== '')

/** Parses values with standard quotes (RFC 4180). `needed`: without it, all columns. */
export function parseQuotedRows(
  text: string,
  delimiter: string,
  needed?: NeededColumns,
): (CellRows & Partial<SplitRows>) | { problem: string } {
  const isSpaced = text.includes('"') && hasLongSpaces(text)
  const split = isSpaced ? null : splitRows(text, delimiter, needed)
  return split ? { ...split, notices: [] } : parseStrayQuotes(text, delimiter)
}

function parseStrayQuotes(text: string, delimiter: string): CellRows | { problem: string } {
  const spaces = delimiter === '\t' ? LONG_SPACES : LONG_SPACES_AND_TABS
  const lines = normalizeLineEnds(text)
  const parsed = Papa.parse<string[]>(
    text.includes('"') && hasLongSpaces(lines) ? lines.replace(spaces, ' ') : lines,
    { delimiter, newline: '\n' },
  )
  const notices: string[] = []
  let lastQuoteRow = -1
  for (const error of parsed.errors) {
    const line = error.row ?? 0
    if (error.code === 'MissingQuotes') {
      return { problem: texts.files.openQuote(line) }
    }
    // A row may have an error for each of its quotes.
    if (error.code !== 'InvalidQuotes' || line === lastQuoteRow) continue
    lastQuoteRow = line
    // The cell with the quote ran on over line ends, so it holds the rows below.
    if (parsed.data[line]?.some(cell => cell.includes('\n') && cell.includes('"')))
      return { problem: texts.files.singleQuote(line) }
    notices.push(texts.files.strayQuote(line))
  }
  return { rows: parsed.data.filter(isFilled), notices: notices.slice(0, 20) }
}

/** The same with the header line apart: the first that is not blank. */
export function parseQuotedCells(text: string): CellTable | { problem: string } {
  const parsed = parseQuotedRows(text, detectDelimiter(firstLine(text)))
  if ('problem' in parsed) return parsed
  const [header = [], ...records] = parsed.rows
  return { header: header.map(cell => cell.trim()), records, notices: parsed.notices }
}

/**
 * Parses a tab-separated marketplace export. Quotes are plain characters there: a product name that begins with one would
 * swallow the lines below (with standard quotes 4 of 8 orders were read). Only a cell that is wrapped in quotes whole, as
 * spreadsheets write it, is unwrapped.
 */
export function parseTabbedRows(text: string): CellRows {
  const lines = normalizeLineEnds(text)
    .split('\n')
    .filter(line => line.trim() !== '')
  return { rows: lines.map(line => line.split('\t').map(cell => unquoteCell(cell))), notices: [] }
}

const unquoteCell = (cell: string): string =>
  cell.length > 1 && cell.startsWith('"') && /^"(?:[^"]|"")*"$/.test(cell)
    ? cell.slice(1, -1).replaceAll('""', '"')
    : cell
