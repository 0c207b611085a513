/**
 * Reads .xlsx workbooks as text. The only file of the pages that knows hucre
 * (docs/decisions/0040-workbooks-are-read-by-hucre.md); it is loaded apart from the page.
 */
import { MAX_MAPPED_COLUMNS } from '#contract/mapping-limits.ts'
import { cellText, ZERO_FORMAT } from './cell-text.ts'
import { texts } from './texts.ts'
import { checkWorkbook, MAX_UNPACKED_MB } from './workbook-safety.ts'
import type { ZipEntry } from './workbook-safety.ts'
import { readEnd, readText, countTags } from './zip-part.ts'

/** Loads the reader ahead of the first workbook. A failure shows when a workbook is read. */
export const prepareWorkbooks = (): void => void import('hucre/xlsx').catch(() => undefined)

/** Rows without blank ones, in the sheet's order; cells as text, without empty ones at the end. `hiddenRows`: of them, by a filter. */
type WorkbookSheet = { name: string; rows: string[][]; hiddenRows?: number }
type WorkbookContent = { sheets: WorkbookSheet[]; hiddenSheets: number }

/** Lines above the header row, at most. */
const LINES_ABOVE = 10
/** hucre keeps every shared string as a tree: 2 million strings take about 1 GB. */
const MAX_STRING_TAGS = 8_000_000
const SHEET_END_BYTES = 256 * 1024
const LAST_SHEET_ROW = 1_048_576
const STRINGS_PART = /sharedStrings\d*\.xml$/i

/** `keepBlankRows`: those above a filled row stay, so that rows can be named by their number. */
type ReadOptions = { keepBlankRows?: boolean }

/**
 * The visible sheets that have rows, at least one; or why the file can’t be read. `maxRows`: the
 * most rows below the header. Never throws for the file's content.
 */
export async function readWorkbook(
  bytes: Uint8Array,
  fileName: string,
  maxRows: number,
  options: ReadOptions = {},
): Promise<WorkbookContent | { problem: string }> {
  const checked = checkWorkbook(bytes, fileName)
  if ('problem' in checked) return checked
  const library = await import('hucre/xlsx').catch(() => null)
  if (library === null) return { problem: texts.notLoaded(fileName) }
  try {
    return await readSheets(bytes, fileName, { ...options, maxRows }, checked.entries)
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    return {
      problem:
        name === 'EncryptedFileError' ? texts.protectedWorkbook(fileName) : texts.broken(fileName),
    }
  }
}

/** A workbook with less to unpack is read as fast as its beginning. */
const LARGE_WORKBOOK_BYTES = 8 * 1024 * 1024
/** All texts are read before the first row. */
const MAX_TEXT_BYTES = 32 * 1024 * 1024

/**
 * The first rows of a large workbook, as `readWorkbook` gives them; of one sheet, by default the first
 * visible one. None of a small workbook and of one that can’t be read.
 */
export async function readTopRows(
  bytes: Uint8Array,
  fileName: string,
  count: number,
  sheet?: string,
): Promise<string[][]> {
  const checked = checkWorkbook(bytes, fileName)
  if ('problem' in checked) return []
  const { entries } = checked
  const sizeOf = (parts: readonly ZipEntry[]) => parts.reduce((sum, part) => sum + part.unpacked, 0)
  const strings = entries.filter(({ name }) => STRINGS_PART.test(name))
  if (sizeOf(entries) < LARGE_WORKBOOK_BYTES || sizeOf(strings) > MAX_TEXT_BYTES) return []
  try {
    const { streamXlsxRows } = await import('hucre/xlsx')
    const shown = sheet ?? (await firstVisibleSheet(bytes, entries))
    const rows: unknown[][] = []
    for await (const { values } of streamXlsxRows(bytes, { sheet: shown, maxRows: count }))
      rows.push(values)
    return textRows(rows, () => undefined)
  } catch {
    return []
  }
}

const HIDDEN_SHEET = /\bstate=["'](?:hidden|veryHidden)["']/

/** Its index. */
async function firstVisibleSheet(bytes: Uint8Array, entries: readonly ZipEntry[]): Promise<number> {
  const book = entries.find(({ name }) => /^xl\/workbook\d*\.xml$/i.test(name))
  const sheets = book ? ((await readText(bytes, book)).match(/<(?:\w+:)?sheet\b[^>]*>/g) ?? []) : []
  return Math.max(
    0,
    sheets.findIndex(tag => !HIDDEN_SHEET.test(tag)),
  )
}

async function readSheets(
  bytes: Uint8Array,
  fileName: string,
  { maxRows, keepBlankRows = false }: ReadOptions & { maxRows: number },
  entries: ZipEntry[],
): Promise<WorkbookContent | { problem: string }> {
  const { readXlsx, colToLetter } = await import('hucre/xlsx')
  const partsNamed = (pattern: RegExp) => entries.filter(({ name }) => pattern.test(name))
  for (const part of partsNamed(STRINGS_PART)) {
    if ((await countTags(bytes, part)) > MAX_STRING_TAGS)
      return { problem: texts.unpackedTooLarge(fileName, MAX_UNPACKED_MB) }
  }
  const styles = await Promise.all(
    partsNamed(/styles\d*\.xml$/i).map(part => readText(bytes, part)),
  )
  const readStyles = styles.some(text => ZERO_FORMAT.test(text))
  const lastRow = maxRows + LINES_ABOVE + 1
  let hiddenSheets = 0
  const workbook = await readXlsx(bytes, {
    sheets: ({ hidden, veryHidden }) => {
      if (!hidden && !veryHidden) return true
      hiddenSheets++
      return false
    },
    range: `A1:${colToLetter(MAX_MAPPED_COLUMNS)}${lastRow}`,
    readStyles,
  })
  const sheets: WorkbookSheet[] = []
  for (const { name, rows, cells, rowDefs } of workbook.sheets) {
    if (rows.some(row => (row[MAX_MAPPED_COLUMNS] ?? null) !== null))
      return { problem: texts.tooManyColumns(fileName, MAX_MAPPED_COLUMNS) }
    const formatAt = (row: number, column: number) =>
      readStyles ? cells?.get(`${row},${column}`)?.style?.numFmt : undefined
    const read = textRows(rows, formatAt, keepBlankRows)
    const hiddenRows = rows.filter(
      (row, at) => rowDefs?.get(at)?.hidden && row.some(isFilled),
    ).length
    if (read.length > 0) sheets.push({ name, rows: read, ...(hiddenRows > 0 && { hiddenRows }) })
    if (read.length >= lastRow) return { problem: texts.tooManyRows(fileName, maxRows) }
  }
  for (const part of partsNamed(/\bworksheets\/.*\.xml$/i)) {
    if (lastRowNumber(await readEnd(bytes, part, SHEET_END_BYTES)) <= lastRow) continue
    for (const { name } of workbook.sheets)
      if (await hasRowsBelow(bytes, name, lastRow))
        return { problem: texts.tooManyRows(fileName, maxRows) }
    break
  }
  return sheets.length > 0 ? { sheets, hiddenSheets } : { problem: texts.empty(fileName) }
}

const isFilled = (value: unknown): boolean =>
  value !== null && value !== undefined && cellText(value).trim() !== ''

function textRows(
  rows: readonly (readonly unknown[])[],
  formatAt: (row: number, column: number) => string | undefined,
  keepBlankRows = false,
): string[][] {
  const read: string[][] = []
  for (const [at, row] of rows.entries()) {
    const cells = row.map((value, column) =>
      typeof value === 'number' ? cellText(value, formatAt(at, column)) : cellText(value),
    )
    cells.length = cells.findLastIndex(cell => cell.trim() !== '') + 1
    if (cells.length > 0 || keepBlankRows) read.push(cells)
  }
  read.length = read.findLastIndex(cells => cells.length > 0) + 1
  return read
}

/** Infinity if the end of the sheet does not name its last row. */
function lastRowNumber(end: string): number {
  const row = [...end.matchAll(/<(?:\w+:)?row\b[^>]*>/g)].at(-1)?.[0]
  if (row === undefined) return end.length < SHEET_END_BYTES ? 0 : Infinity
  return Number(/\br="(\d+)"/.exec(row)?.[1] ?? Infinity)
}

/** Rows below the range were not read: none may be lost without a word. */
async function hasRowsBelow(bytes: Uint8Array, sheet: string, row: number): Promise<boolean> {
  const { streamXlsxRows } = await import('hucre/xlsx')
  const range = `A${row + 1}:XFD${LAST_SHEET_ROW}`
  for await (const { values } of streamXlsxRows(bytes, { sheet, range }))
    if (values.some(value => value !== null && String(value).trim() !== '')) return true
  return false
}
