import { csvLine } from '#contract/csv.ts'
import { confirmableItems, itemIdOf, orderIdOf } from './auto-confirm.ts'
import type { ConfirmFormat, ConfirmItem, ConfirmPlan, ConfirmRow } from './auto-confirm.ts'
import { FILE_TIME_ZONE } from './wording.ts'

const AMAZON_HEADERS = [
  'order-id',
  'order-item-id',
  'quantity',
  'ship-date',
  'carrier-code',
  'carrier-name',
  'tracking-number',
  'ship-method',
]
/** https://developer.ebay.com, Merchant Integration Platform, order fulfillment feed. */
const EBAY_HEADERS = [
  'Order ID',
  'Line Item ID',
  'Logistics Status',
  'Shipment Carrier',
  'Shipment Tracking',
]
const PLAIN_HEADERS = ['order', 'tracking', 'carrier', 'date']

const CARRIER = 'USPS'
const SHIP_DATE = new Intl.DateTimeFormat('en-CA', {
  timeZone: FILE_TIME_ZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** `separator`: of Amazon's file, which has no quotes between tabs. */
export type ConfirmTextStyle = { format: Exclude<ConfirmFormat, 'walmart'>; separator: '\t' | ',' }

const HEADERS: Record<ConfirmTextStyle['format'], string[]> = {
  amazon: AMAZON_HEADERS,
  ebay: EBAY_HEADERS,
  plain: PLAIN_HEADERS,
}

/** With CRLF, as all lines. The file is UTF-8 without a byte order mark. */
export const confirmHeader = (style: ConfirmTextStyle): string =>
  lineOf(HEADERS[style.format], style)

/** A line for each item of a purchased row; all have its tracking number. Empty for other rows. */
export function confirmLines(row: ConfirmRow, plan: ConfirmPlan, style: ConfirmTextStyle): string {
  const { bought } = row
  if (bought === null) return ''
  const items = confirmableItems<ConfirmItem>(row, plan)
  const toConfirm = style.format === 'plain' ? items : mergeWholeOrders(items, style.format)
  return toConfirm
    .map(item => lineOf(cellsOf(item, { ...row, bought }, style.format), style))
    .join('')
}

/** An order without item ids is confirmed by one line of a label. */
function mergeWholeOrders(items: ConfirmItem[], format: 'amazon' | 'ebay'): ConfirmItem[] {
  const lines: ConfirmItem[] = []
  const orders = new Map<string, ConfirmItem>()
  for (const item of items) {
    const orderId = orderIdOf(item, format)!
    const whole = orders.get(orderId)
    if (itemIdOf(item, format) !== null) lines.push(item)
    else if (whole) whole.quantity = (whole.quantity ?? 1) + (item.quantity ?? 1)
    else {
      const line = { ...item }
      orders.set(orderId, line)
      lines.push(line)
    }
  }
  return lines
}

type BoughtRow = ConfirmRow & { bought: NonNullable<ConfirmRow['bought']> }

function cellsOf(
  item: ConfirmItem,
  { bought, serviceName }: BoughtRow,
  format: ConfirmTextStyle['format'],
): string[] {
  const { trackingNumber, at } = bought
  const orderId = orderIdOf(item, format)!
  const itemId = itemIdOf(item, format) ?? ''
  switch (format) {
    case 'amazon':
      return [
        orderId,
        itemId,
        String(item.quantity ?? 1),
        SHIP_DATE.format(at),
        CARRIER,
        // Only for carriers without a code.
        '',
        trackingNumber,
        serviceName,
      ]
    case 'ebay':
      return [orderId, itemId, 'SHIPPED', CARRIER, trackingNumber]
    default:
      return [orderId, trackingNumber, CARRIER, SHIP_DATE.format(at)]
  }
}

function lineOf(cells: string[], { format, separator }: ConfirmTextStyle): string {
  if (format !== 'amazon') return csvLine(cells)
  const clean = cells.map(withoutSeparators)
  return `${separator === '\t' ? clean.join('\t') : commaSeparated(clean)}\r\n`
}

const commaSeparated = (cells: string[]): string =>
  cells.map(cell => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')

const withoutSeparators = (cell: string): string => cell.replace(/[\t\r\n\0]+/g, ' ').trim()
