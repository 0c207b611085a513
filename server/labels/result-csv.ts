// The result CSV of a batch: what became of each row, next to the submitted row.
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { groupTracking } from '#contract/format.ts'
import { TEMPLATE_FIELDS, TEMPLATE_HEADERS, type BulkRow } from '#contract/rows.ts'

/** In table order. `status` as over HTTP, `reason` of a failure, `input` as submitted. */
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

/** The columns in order (docs/requirements.md#files). */
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

/** Byte order mark and header. */
export const resultHeaderLine = (): string => BYTE_ORDER_MARK + csvLine(RESULT_HEADERS)

/**
 * UTF-8, CRLF, RFC 4180 quotes. Tracking numbers in groups of four, so that spreadsheets keep their
 * digits; prices in dollars with two decimals and no sign.
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
