/** The cells of a price file, and the text of a zone file. */
import { MAX_PRICE_ROWS } from '#contract/price-file.ts'
import { readCsvRows } from '#web/client/csv-rows.ts'
import { decodeText, fileExtension, notTextProblem } from '#web/client/decode-text.ts'
import { readWorkbook } from '#web/client/workbook/workbook.ts'
import { texts } from './texts.ts'

const MAX_MEGABYTES = 16
const MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
/** As the call takes them. */
const MAX_CELLS = 40
const MAX_CELL = 200

/**
 * `rows`: all rows to the last filled one, so that row 1 is the first line of the file. `notices`:
 * sentences about letters to check.
 */
export type PriceFile = { fileName: string; rows: string[][]; notices: string[] }

/** Never throws for the file's content. */
export async function readPriceFile(file: File): Promise<PriceFile | { problem: string }> {
  if (file.size > MAX_BYTES) return { problem: texts.file.tooLarge(MAX_MEGABYTES) }
  const kind = fileExtension(file.name)
  if (kind !== 'csv' && kind !== 'xlsx') return { problem: texts.file.wrongType }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const read = kind === 'csv' ? readCsvRows(bytes) : await sheetRows(bytes, file.name)
  if ('problem' in read) return read
  const problem = problemOf(read.rows)
  return problem === null ? { fileName: file.name, ...read } : { problem }
}

/** The first sheet. */
async function sheetRows(
  bytes: Uint8Array,
  fileName: string,
): Promise<Pick<PriceFile, 'rows' | 'notices'> | { problem: string }> {
  const read = await readWorkbook(bytes, fileName, MAX_PRICE_ROWS, { keepBlankRows: true })
  return 'problem' in read ? read : { rows: read.sheets[0]!.rows, notices: [] }
}

function problemOf(rows: readonly (readonly string[])[]): string | null {
  if (rows.length === 0) return texts.file.unreadable
  if (rows.length > MAX_PRICE_ROWS + 1) return texts.file.tooManyRows(MAX_PRICE_ROWS)
  if (rows.some(row => row.length > MAX_CELLS)) return texts.file.tooWide(MAX_CELLS)
  const long = rows.findIndex(row => row.some(cell => cell.length > MAX_CELL))
  return long === -1 ? null : texts.file.longCell(long + 1, MAX_CELL)
}

/** The text of a zone file, or why it can’t be read. */
export async function readZoneText(file: File): Promise<{ text: string } | { problem: string }> {
  if (file.size > MAX_BYTES) return { problem: texts.file.tooLarge(MAX_MEGABYTES) }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const unreadable = notTextProblem(bytes)
  return unreadable === null ? { text: decodeText(bytes).text } : { problem: unreadable }
}
