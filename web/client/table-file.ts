/** The rows of a small table in a file, which the server reads as they are. */
import { readCsvRows } from './csv-rows.ts'
import { fileExtension } from './decode-text.ts'
import { readWorkbook } from './workbook/workbook.ts'

/**
 * `rows`: all rows to the last filled one, so that row 1 is the first line of the file. `notices`:
 * sentences about letters to check.
 */
export type TableFile = { fileName: string; rows: string[][]; notices: string[] }

/** `rows`: below the header. `cells`: of a row. `letters`: of a cell. */
export type TableLimits = { megabytes: number; rows: number; cells: number; letters: number }

type ProblemTexts = {
  wrongType: string
  unreadable: string
  tooLarge: (megabytes: number) => string
  tooManyRows: (rows: number) => string
  tooWide: (cells: number) => string
  longCell: (row: number, letters: number) => string
}
type Problem = { problem: string }
type Rows = Pick<TableFile, 'rows' | 'notices'>

/** Of a workbook, the first sheet. Never throws for the file's content. */
export async function readTableFile(
  file: File,
  limits: TableLimits,
  texts: ProblemTexts,
): Promise<TableFile | Problem> {
  if (file.size > limits.megabytes * 1024 * 1024)
    return { problem: texts.tooLarge(limits.megabytes) }
  const kind = fileExtension(file.name)
  if (kind !== 'csv' && kind !== 'xlsx') return { problem: texts.wrongType }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const read = kind === 'csv' ? readCsvRows(bytes) : await readSheet(bytes, file.name, limits.rows)
  if ('problem' in read) return read
  const problem = problemOf(read.rows, limits, texts)
  return problem === null ? { fileName: file.name, ...read } : { problem }
}

async function readSheet(
  bytes: Uint8Array,
  fileName: string,
  maxRows: number,
): Promise<Rows | Problem> {
  const read = await readWorkbook(bytes, fileName, maxRows, { keepBlankRows: true })
  return 'problem' in read ? read : { rows: read.sheets[0]!.rows, notices: [] }
}

function problemOf(
  rows: TableFile['rows'],
  limits: TableLimits,
  texts: ProblemTexts,
): string | null {
  if (rows.length === 0) return texts.unreadable
  if (rows.length > limits.rows + 1) return texts.tooManyRows(limits.rows)
  if (rows.some(row => row.length > limits.cells)) return texts.tooWide(limits.cells)
  const long = rows.findIndex(row => row.some(cell => cell.length > limits.letters))
  return long === -1 ? null : texts.longCell(long + 1, limits.letters)
}
