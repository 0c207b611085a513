// The shipping confirmation a marketplace reads ("Auto Confirm").

/** A row of the batch, purchased or not. `at`: time of purchase; ids as in the customer's file. */
export type ConfirmRow = {
  row: number
  orderId: string | null
  orderItemId: string | null
  quantity: number | null
  serviceName: string
  bought: { trackingNumber: string; at: Date } | null
}

/** `omittedRows`: numbers of purchased rows this file cannot confirm. */
export type ConfirmationFile = { text: string; omittedRows: number[] }

const HEADERS = [
  'order-id',
  'order-item-id',
  'quantity',
  'ship-date',
  'carrier-code',
  'carrier-name',
  'tracking-number',
  'ship-method',
]
// The date in New York: at 8 p.m. there it is tomorrow in UTC.
const SHIP_DATE = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})
// Other ids were typed by hand. They go unquoted into the file and must not look like a formula or
// a column.
const EXTERNAL_ID = /^[A-Za-z0-9][A-Za-z0-9-]*$/
// Names this product gives to rows without ids; the marketplace does not know them.
const GENERATED_ID = /^(item|row)-\d+$/i

/**
 * A tab-separated line per purchased row with an order id, CRLF, without quotes; `csv` separates by
 * commas. UTF-8 without a byte order mark. A row without an item id confirms the whole order, so it
 * is written only when every row of that order in the batch was purchased. Pass all rows in table
 * order. Null without a line.
 */
export function buildAutoConfirm(
  rows: readonly ConfirmRow[],
  format: 'txt' | 'csv' = 'txt',
): ConfirmationFile | null {
  const lines: string[][] = []
  const omittedRows = findOmittedRows(rows)
  const left = new Set(omittedRows)
  for (const row of rows) {
    const orderId = externalOrderId(row)
    if (row.bought === null || orderId === null || left.has(row.row)) continue
    const itemId = externalId(row.orderItemId)
    const { at, trackingNumber } = row.bought
    // carrier-name is only for carriers without a code.
    lines.push([
      orderId,
      itemId ?? '',
      String(row.quantity ?? 1),
      SHIP_DATE.format(at),
      'USPS',
      '',
      trackingNumber,
      row.serviceName,
    ])
  }
  if (lines.length === 0) return null
  const joined = format === 'txt' ? tabSeparated : commaSeparated
  return {
    text: [HEADERS, ...lines].map(line => joined(line) + '\r\n').join(''),
    omittedRows,
  }
}

/** The part of a row that the rule for missing item ids needs. */
export type RowIds = Pick<ConfirmRow, 'row' | 'orderId' | 'orderItemId'> & { bought: unknown }

/**
 * Numbers of purchased rows left out until the rest of their order is purchased. Pass all rows of
 * each order.
 */
export function findOmittedRows(rows: readonly RowIds[]): number[] {
  const unfinished = new Set(rows.filter(row => !row.bought).map(externalOrderId))
  return rows
    .filter(row => {
      const orderId = externalOrderId(row)
      return (
        row.bought
        && orderId !== null
        && externalId(row.orderItemId) === null
        && unfinished.has(orderId)
      )
    })
    .map(row => row.row)
}

function externalOrderId(row: RowIds): string | null {
  return externalId(row.orderId)
}

function externalId(written: string | null): string | null {
  const id = written?.trim() ?? ''
  return EXTERNAL_ID.test(id) && !GENERATED_ID.test(id) ? id : null
}

// The format has no quotes, so separators are removed from cells.
function tabSeparated(cells: string[]): string {
  return cells.map(withoutSeparators).join('\t')
}

function commaSeparated(cells: string[]): string {
  return cells
    .map(withoutSeparators)
    .map(cell => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')
}

function withoutSeparators(cell: string): string {
  return cell.replace(/[\t\r\n\0]+/g, ' ').trim()
}
