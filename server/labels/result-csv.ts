// The result file of a batch: what became of each row, beside what was sent in. It is for people and their spreadsheets.
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { groupTracking } from '#contract/format.ts'
import { TEMPLATE_FIELDS, TEMPLATE_HEADERS, type BulkRow } from '#contract/rows.ts'

/**
 * One row of the result, in the order of the table. `status` is the outward word, `reason` why it failed, `written` the row as the
 * customer sent it in (original letters, not those of the label).
 */
export type ResultRow = {
  row: number
  orderId: string | null
  orderItemId: string | null
  status: string
  trackingNumber: string | null
  priceCents: number | null
  reason: string | null
  input: Partial<BulkRow>
}

/** The columns, in order (architecture, 10). */
const RESULT_HEADERS: readonly string[] = [
  'row',
  'order_id',
  'order_item_id',
  'status',
  'tracking_number',
  'price',
  'reason',
  ...TEMPLATE_HEADERS,
]

/** The first line of the file: a byte order mark and the heads. */
export const resultHeaderLine = (): string => BYTE_ORDER_MARK + csvLine(RESULT_HEADERS)

/**
 * One row's line: UTF-8, CRLF, RFC 4180 quotes. Tracking numbers are in groups of four, so that no digit is lost to rounding;
 * prices are dollars with two decimals and no sign.
 */
export function resultLine(row: ResultRow): string {
  return csvLine([
    String(row.row),
    row.orderId,
    row.orderItemId,
    row.status,
    row.trackingNumber && groupTracking(row.trackingNumber),
    row.priceCents === null ? '' : (row.priceCents / 100).toFixed(2),
    row.reason,
    ...TEMPLATE_FIELDS.map(field => row.input[field]),
  ])
}
