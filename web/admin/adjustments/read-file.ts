/** The cells of a carrier's file of adjustments. */
import {
  MAX_ADJUSTMENT_CELL,
  MAX_ADJUSTMENT_CELLS,
  MAX_ADJUSTMENT_ROWS,
} from '#contract/adjustments.ts'
import { readTableFile } from '#web/client/table-file.ts'
import type { TableFile } from '#web/client/table-file.ts'
import { texts } from './texts.ts'

const LIMITS = {
  megabytes: 8,
  rows: MAX_ADJUSTMENT_ROWS,
  cells: MAX_ADJUSTMENT_CELLS,
  letters: MAX_ADJUSTMENT_CELL,
}

const REPORT_DATE = 'report_date'

/** Whether lines have whole changes, of which the newest report counts, and no column tells its day. */
export function needsReportDay({ rows: [header = []] }: TableFile): boolean {
  const names = header.map(name => name.trim().toLowerCase().replaceAll(' ', '_'))
  return (
    names.includes('final_invoice_amount')
    && names.includes('initially_paid_amount')
    && !names.includes(REPORT_DATE)
  )
}

/** With the last day of the report ('2026-11-30') behind each row. */
export function withReportDay(file: TableFile, day: string): TableFile {
  const { rows } = file
  const width = Math.max(...rows.map(row => row.length))
  const padded = (row: string[]) => [...row, ...Array<string>(width - row.length).fill('')]
  return {
    ...file,
    rows: rows.map((row, index) => [...padded(row), index === 0 ? REPORT_DATE : day]),
  }
}

/** Never throws for the file's content. */
export const readAdjustmentFile = (file: File): Promise<TableFile | { problem: string }> =>
  readTableFile(file, LIMITS, texts.read)
