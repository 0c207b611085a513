// The result file of a batch: what became of each row, beside what was sent in. It is for people and their spreadsheets.
import { groupTracking } from '#contract/format.ts'
import { TEMPLATE_FIELDS, TEMPLATE_HEADERS, type BulkRow } from '#contract/rows.ts'

/**
 * One row of the result, in the order of the table. `status` is the outward word, `reason` why it failed, `written` the row as the
 * customer sent it in (original letters, not those of the label).
 */
export type ResultRow = {
  row: number, orderId: string | null, orderItemId: string | null, status: string, trackingNumber: string | null,
  priceCents: number | null, reason: string | null, written: Partial<BulkRow>,
}

/** The columns, in order (architecture, 10). */
export const RESULT_HEADERS: readonly string[] = [
  'row', 'order_id', 'order_item_id', 'status', 'tracking_number', 'price', 'reason', ...TEMPLATE_HEADERS,
]

// Without this mark Excel reads UTF-8 as the machine's old code page, and José becomes JosÃ©. Whatever reads CSV well skips it.
const BYTE_ORDER_MARK = '\ufeff'
// A spreadsheet calculates what begins like this, in any cell of any export: a name could send the whole table to a stranger.
const FORMULA = /^[=+\-@\t\r\n\0＝＋－＠]/
// Semicolon and tab stand between cells in other countries' spreadsheets; unquoted they would open a new cell in mid-text.
const NEEDS_QUOTES = /[",;\t\r\n]|^ | $/

/** The first line of the file: a byte order mark and the heads. */
export const resultHead = (): string => BYTE_ORDER_MARK + csvLine(RESULT_HEADERS)

/**
 * One row's line: UTF-8, CRLF, RFC 4180 quotes. Tracking numbers are in groups of four, so that no digit is lost to rounding;
 * prices are dollars with two decimals and no sign.
 */
export function resultLine(row: ResultRow): string {
  return csvLine([
    String(row.row), row.orderId, row.orderItemId, row.status,
    row.trackingNumber && groupTracking(row.trackingNumber),
    row.priceCents === null ? '' : (row.priceCents / 100).toFixed(2),
    row.reason,
    ...TEMPLATE_FIELDS.map(field => row.written[field]),
  ])
}

/** The whole file as pieces to be written one after another. */
export function* resultCsv(rows: Iterable<ResultRow>): Generator<string> {
  yield resultHead()
  for (const row of rows) yield resultLine(row)
}

function csvLine(values: readonly (string | null | undefined)[]): string {
  return values.map(value => csvCell(value ?? '')).join(',') + '\r\n'
}

/** One cell: made harmless where a spreadsheet would calculate it, then quoted where it must be. */
export function csvCell(value: string): string {
  const harmless = FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
