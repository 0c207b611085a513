/** The cells of a carrier's file of adjustments. */
import {
  MAX_ADJUSTMENT_CELL,
  MAX_ADJUSTMENT_CELLS,
  MAX_ADJUSTMENT_ROWS,
} from '#contract/adjustments.ts'
import { readCsvRows } from '#web/client/csv-rows.ts'
import { fileExtension } from '#web/client/decode-text.ts'
import { readWorkbook } from '#web/client/workbook/workbook.ts'
import { texts } from './texts.ts'

const MAX_MEGABYTES = 8
const t = texts.read

/** `notices`: sentences about letters to check. */
export type AdjustmentFile = { fileName: string; rows: string[][]; notices: string[] }
type Problem = { problem: string }

const REPORT_DATE = 'report_date'

/** Whether lines have whole changes, of which the newest report counts, and no column tells its day. */
export function needsReportDay({ rows: [header = []] }: AdjustmentFile): boolean {
  const names = header.map(name => name.trim().toLowerCase().replaceAll(' ', '_'))
  return (
    names.includes('final_invoice_amount')
    && names.includes('initially_paid_amount')
    && !names.includes(REPORT_DATE)
  )
}

/** With the last day of the report ('2026-11-30') behind each row. */
export function withReportDay(file: AdjustmentFile, day: string): AdjustmentFile {
  const { rows } = file
  const width = Math.max(...rows.map(row => row.length))
  const padded = (row: string[]) => [...row, ...Array<string>(width - row.length).fill('')]
  return {
    ...file,
    rows: rows.map((row, index) => [...padded(row), index === 0 ? REPORT_DATE : day]),
  }
}

/** Never throws for the file's content. */
export async function readAdjustmentFile(file: File): Promise<AdjustmentFile | Problem> {
  if (file.size > MAX_MEGABYTES * 1024 * 1024) return { problem: t.tooLarge(MAX_MEGABYTES) }
  const kind = fileExtension(file.name)
  if (kind !== 'csv' && kind !== 'xlsx') return { problem: t.wrongType }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const read = kind === 'csv' ? readCsvRows(bytes) : await sheetRows(bytes, file.name)
  if ('problem' in read) return read
  const problem = problemOf(read.rows)
  return problem === null ? { fileName: file.name, ...read } : { problem }
}

async function sheetRows(
  bytes: Uint8Array,
  fileName: string,
): Promise<Pick<AdjustmentFile, 'rows' | 'notices'> | Problem> {
  const read = await readWorkbook(bytes, fileName, MAX_ADJUSTMENT_ROWS, { keepBlankRows: true })
  return 'problem' in read ? read : { rows: read.sheets[0]!.rows, notices: [] }
}

function problemOf(rows: readonly (readonly string[])[]): string | null {
  if (rows.length === 0) return t.unreadable
  if (rows.length > MAX_ADJUSTMENT_ROWS + 1) return t.tooManyRows(MAX_ADJUSTMENT_ROWS)
  if (rows.some(row => row.length > MAX_ADJUSTMENT_CELLS)) return t.tooWide(MAX_ADJUSTMENT_CELLS)
  const long = rows.findIndex(row => row.some(cell => cell.length > MAX_ADJUSTMENT_CELL))
  return long === -1 ? null : t.longCell(long + 1)
}
