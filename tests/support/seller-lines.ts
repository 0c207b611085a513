/** Lines of sellers' files and the rows that they should become. */
import type { BulkRow } from '#contract/rows.ts'
import type { Fate, SellerOrder } from './seller-orders.ts'

export type Cells = Record<string, string | number>
/** A line of the file: its cells, and what becomes of it: a row or a reason to leave it out. */
export type FileLine = { cells: Cells; row?: Partial<BulkRow>; reason?: string; order?: string }
export type Format = {
  fileName: string
  columns: string
  lines: (order: SellerOrder) => FileLine[]
  first?: FileLine[]
  last?: FileLine[]
  above?: string
  delimiter?: string
}

export const fullName = ({ first, last }: SellerOrder): string => `${first} ${last}`
/** The receiver of an order as a row has it. */
export const receiver = (order: SellerOrder): Partial<BulkRow> => ({
  ToRecipientName: fullName(order),
  ToStreet1: order.street1,
  ToStreet2: order.street2,
  ToCity: order.city,
  ToStateProvince: order.state,
  ToZipPostal: order.zip,
  ToCountry: 'US',
})
export const itemRow = (order: SellerOrder, orderId: string, index: number): Partial<BulkRow> => {
  const { sku = '', quantity = 0 } = order.items[index] ?? {}
  return {
    ...receiver(order),
    orderId,
    orderItemId: `${orderId}-${index + 1}`,
    skuNumber: sku,
    quantity: String(quantity),
  }
}
export const outcome = (
  { fate }: SellerOrder,
  reasons: Partial<Record<Fate, string>>,
  row: Partial<BulkRow>,
): Pick<FileLine, 'row' | 'reason' | 'order'> => {
  const reason = reasons[fate]
  return reason === undefined ? { row } : { reason, order: row.orderId! }
}
export const phoneOf = ({ phone: ToPhone }: SellerOrder) => ({ ToPhone })
export const pieces = ({ items }: SellerOrder): number =>
  items.reduce((sum, { quantity }) => sum + quantity, 0)
export const listOf = ({ items }: SellerOrder): string =>
  items.map(({ sku, quantity }) => `${quantity}x ${sku}`).join(', ')
/** An order on one line: its only item's SKU, or the list of its items. */
export const orderRow = (order: SellerOrder, orderId: string): Partial<BulkRow> => ({
  ...receiver(order),
  orderId,
  orderItemId: `${orderId}-1`,
  quantity: String(pieces(order)),
  skuNumber: order.items.length === 1 ? order.items[0]!.sku : '',
  PackageDescription: order.items.length === 1 ? '' : listOf(order),
})

export type ExpectedRow = Partial<BulkRow> & { line: number }
