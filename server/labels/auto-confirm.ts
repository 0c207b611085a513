/**
 * The shipping confirmation that the source of a bulk order reads ("Auto Confirm"). Which items are
 * confirmed is decided here; confirm-text.ts and confirm-workbook.ts write them.
 */
import type { RowItem } from '#contract/rows.ts'
import type { SourceId } from '#contract/sources.ts'

/** Of one order item; ids as in the customer's file. */
export type ConfirmItem = {
  orderId: string | null
  orderItemId: string | null
  quantity: number | null
  extra?: RowItem['extra']
}

/**
 * A row of the batch, purchased or not. `at`: time of purchase. `items`: of a row that combines
 * order items.
 */
export type ConfirmRow = ConfirmItem & {
  row: number
  serviceName: string
  bought: { trackingNumber: string; at: Date } | null
  items?: readonly ConfirmItem[]
}

/** 'amazon' also confirms orders of other shops that give item ids. */
export type ConfirmFormat = 'amazon' | 'ebay' | 'walmart' | 'plain'

/** Which of them a file is, by its name. A mapped source has either text. */
export const confirmFormatOfFile = (name: string, source: SourceId | null): ConfirmFormat =>
  source === 'mapped'
    ? name.endsWith('.txt')
      ? 'amazon'
      : 'plain'
    : FORMAT_OF_SOURCE[source ?? 'template']

/** Of a file's name. */
export type ConfirmEnding = 'txt' | 'csv' | 'xlsx'

export const CONFIRM_ENDINGS: Record<ConfirmFormat, ConfirmEnding> = {
  amazon: 'txt',
  ebay: 'csv',
  walmart: 'xlsx',
  plain: 'csv',
}

const FORMAT_OF_SOURCE: Record<Exclude<SourceId, 'mapped'>, ConfirmFormat> = {
  template: 'amazon',
  amazon: 'amazon',
  shopify: 'plain',
  etsy: 'plain',
  'etsy-items': 'plain',
  ebay: 'ebay',
  walmart: 'walmart',
  tiktok: 'plain',
  woocommerce: 'plain',
  bigcommerce: 'plain',
}

/**
 * `omittedRows`: numbers of purchased rows of which the file cannot confirm an item. `unfinished`:
 * orders of which a row is not purchased.
 */
export type ConfirmPlan = {
  format: ConfirmFormat
  unfinished: ReadonlySet<string>
  omittedRows: number[]
}

type ItemIds = Pick<ConfirmItem, 'orderId' | 'orderItemId'>
/** The part of a row that a plan needs. */
export type RowIds = ItemIds & { row: number; bought: unknown; items?: readonly ItemIds[] | null }

/** Pass all rows. Null without an item to confirm. */
export function planConfirmation(
  rows: readonly RowIds[],
  source: SourceId | null,
): ConfirmPlan | null {
  const format = confirmFormatOf(rows, source)
  const plan = planFor(rows, format)
  return rows.some(row => row.bought && confirmableItems(row, plan).length > 0) ? plan : null
}

function confirmFormatOf(rows: readonly RowIds[], source: SourceId | null): ConfirmFormat {
  if (source !== 'mapped') return FORMAT_OF_SOURCE[source ?? 'template']
  const hasItemIds = rows.some(row => itemsOf(row).some(item => itemIdOf(item, 'amazon') !== null))
  return hasItemIds ? 'amazon' : 'plain'
}

/** Pass all rows of each order. */
export const findOmittedRows = (
  rows: readonly RowIds[],
  format: ConfirmFormat = 'amazon',
): number[] => planFor(rows, format).omittedRows

function planFor(rows: readonly RowIds[], format: ConfirmFormat): ConfirmPlan {
  const unfinished = new Set<string>()
  for (const row of rows) {
    if (row.bought) continue
    for (const item of itemsOf(row)) {
      const orderId = orderIdOf(item, format)
      if (orderId !== null) unfinished.add(orderId)
    }
  }
  const plan: ConfirmPlan = { format, unfinished, omittedRows: [] }
  for (const row of rows)
    if (row.bought && itemsOf(row).some(item => isOmitted(item, plan)))
      plan.omittedRows.push(row.row)
  return plan
}

/** The items of a purchased row that get a line each. */
export const confirmableItems = <Item extends ItemIds>(
  row: Item & { items?: readonly Item[] | null },
  plan: ConfirmPlan,
): Item[] =>
  itemsOf(row).filter(item => orderIdOf(item, plan.format) !== null && !isOmitted(item, plan))

const itemsOf = <Item extends ItemIds>(
  row: Item & { items?: readonly Item[] | null },
): readonly Item[] => row.items ?? [row]

/** Of an order without item ids all rows are confirmed at once, or none. */
function isOmitted(item: ItemIds, { format, unfinished }: ConfirmPlan): boolean {
  const orderId = orderIdOf(item, format)
  return orderId !== null && confirmsOrder(item, format) && unfinished.has(orderId)
}

/** Whether the item's line confirms its whole order. The lines of a Walmart sheet are items. */
const confirmsOrder = (item: ItemIds, format: ConfirmFormat): boolean =>
  format === 'plain' || (format !== 'walmart' && itemIdOf(item, format) === null)

// Amazon's file has no quotes: an id that was typed by hand must not look like a formula or a
// column.
const UNQUOTED_ID = /^[A-Za-z0-9][A-Za-z0-9-]*$/
// Names this product gives to rows without ids; the marketplace does not know them.
const GENERATED_ID = /^(item|row)-\d+$/i
const COUNTED_ID = /^-\d+$/

/** Whether this product gave the id to a row without one. */
export const isGeneratedId = (id: string): boolean => GENERATED_ID.test(id)

/** Whether it is the order's id and a number, such as '1001-2' of order '1001'. */
export const isCountedId = (orderId: string, id: string): boolean =>
  orderId !== '' && id.startsWith(orderId) && COUNTED_ID.test(id.slice(orderId.length))

/** Null for an id that the source does not know. */
export const orderIdOf = ({ orderId }: ItemIds, format: ConfirmFormat): string | null =>
  sourceId(orderId, format)

/** Null for an id that the source does not know, such as '1001-2' of order '1001'. */
export function itemIdOf({ orderId, orderItemId }: ItemIds, format: ConfirmFormat): string | null {
  const id = sourceId(orderItemId, format)
  return id !== null && isCountedId(orderId?.trim() ?? '', id) ? null : id
}

function sourceId(written: string | null, format: ConfirmFormat): string | null {
  const id = written?.trim() ?? ''
  if (id === '' || isGeneratedId(id)) return null
  return format !== 'amazon' || UNQUOTED_ID.test(id) ? id : null
}
