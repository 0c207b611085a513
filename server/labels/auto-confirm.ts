// The shipping confirmation that a marketplace takes back ("Auto Confirm"): a machine reads it, so nothing is added for people.

/** A row of the batch, bought or not. `at` is the moment of purchase; ids are as the customer's file had them. */
export type ConfirmRow = {
  row: number
  orderId: string | null
  orderItemId: string | null
  quantity: number | null
  serviceName: string
  bought: { trackingNumber: string; at: Date } | null
}

/** `omittedRows`: numbers of bought rows that cannot be confirmed by this file. */
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
// The day on which a seller in the United States bought the label: after 8 p.m. in New York it is tomorrow already in UTC.
const SHIP_DATE = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})
// An id that is none of these was typed by hand; as it goes into the file unquoted, it must not look like a formula or a column.
const EXTERNAL_ID = /^[A-Za-z0-9][A-Za-z0-9-]*$/
// Names that this product gives to rows without ids (specification, 9): the marketplace has never heard of them.
const GENERATED_ID = /^(item|row)-\d+$/i

/**
 * One line for each bought row with an order id, tab-separated with CRLF and no quotes; `csv` separates by commas instead. Both
 * are UTF-8 without a byte order mark. A row without an item id of its own confirms the whole order, so it is written (item id
 * blank) only when every row of that order in the batch is bought, and left out otherwise. Pass all rows of the batch, in
 * table order. Null when there is no line to write: no file then.
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
    // carrier-name is for carriers without a code of their own.
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

/** What the rule for rows without an item id asks of a row. */
export type RowIds = Pick<ConfirmRow, 'row' | 'orderId' | 'orderItemId'> & { bought: unknown }

/** Numbers of bought rows that the file leaves out until the rest of their order is bought too. Pass all rows of each order. */
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

// The format knows no quotes, so what separates cells and lines cannot stand inside of one.
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
