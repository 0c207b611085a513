/** WooCommerce by its usual export plug-ins. */
import { texts } from '#web/batches/import/texts.ts'
import type { Line, MoreColumns } from './lines.ts'
import { marketplaceSource, statusKey, statusReason } from './marketplace.ts'
import { namedItems, useItems } from './several-items.ts'
import type { NamedItem } from './several-items.ts'

/** Only 'processing' is paid and not yet sent. */
const reasonOf = ({ status }: Line<'status'>): string | null =>
  ['processing', 'wc processing', ''].includes(statusKey(status)) ? null : statusReason(status)

const ADVANCED = {
  order: ['Order Number', 'Order ID'],
  sku: ['SKU'],
  itemName: ['Item Name'],
  quantity: ['Quantity (- Refund)', 'Quantity'],
  name: ['Full Name (Shipping)'],
  firstName: ['First Name (Shipping)'],
  lastName: ['Last Name (Shipping)'],
  company: ['Company (Shipping)'],
  phone: ['Phone (Shipping)', 'Phone (Billing)'],
  street1: ['Address 1&2 (Shipping)', 'Address 1 (Shipping)'],
  street2: ['Address 2 (Shipping)'],
  city: ['City (Shipping)'],
  state: ['State Code (Shipping)', 'State Name (Shipping)'],
  zip: ['Postcode (Shipping)'],
  country: ['Country Code (Shipping)', 'Country Name (Shipping)'],
  status: ['Order Status'],
} as const

/** Advanced Order Export: one line per item. */
export const advancedOrderExport = marketplaceSource<MoreColumns<typeof ADVANCED>>({
  id: 'woocommerce',
  needs: [
    ADVANCED.order,
    ['Full Name (Shipping)', 'First Name (Shipping)'],
    ADVANCED.street1,
    ADVANCED.city,
    ADVANCED.zip,
  ],
  columns: ADVANCED,
  orderFields: ['status'],
  leftOut: line => (/^0+(?:\.0+)?$/.test(line.quantity) ? texts.reasons.refunded : reasonOf(line)),
})

const CUSTOMER_ORDER = {
  order: ['order_number_formatted', 'order_number', 'order_id'],
  sku: ['item_sku', 'sku'],
  itemName: ['item_name'],
  quantity: ['item_quantity', 'quantity'],
  firstName: ['shipping_first_name'],
  lastName: ['shipping_last_name'],
  company: ['shipping_company'],
  phone: ['shipping_phone', 'billing_phone'],
  street1: ['shipping_address_1'],
  street2: ['shipping_address_2'],
  city: ['shipping_city'],
  state: ['shipping_state', 'shipping_state_code'],
  zip: ['shipping_postcode'],
  country: ['shipping_country'],
  status: ['status'],
} as const

const ITEM_COLUMN = /^(?:(?:orderitem|lineitem)(\d{1,3})|lineitems)$/
const ITEM_PARTS = {
  name: { label: 'name:', end: '|' },
  sku: { label: 'sku:', end: '|' },
  quantity: { label: 'quantity:', end: '|' },
  canFollow: (code: number) => code === 0x7c,
}

const columnsBySheet = new WeakMap<readonly string[], number[]>()

/** The places of the item columns by their number. */
function itemColumns(keys: readonly string[]): number[] {
  const known = columnsBySheet.get(keys)
  if (known) return known
  const columns = keys
    .flatMap((key, at) => {
      const found = ITEM_COLUMN.exec(key)
      return found ? [{ at, place: Number(found[1] ?? 0) }] : []
    })
    .toSorted((a, b) => a.place - b.place)
    .map(({ at }) => at)
  columnsBySheet.set(keys, columns)
  return columns
}

/**
 * Order/Customer CSV Export: one line per order with a column for each item, or one line per item. WebToffee's Order Export has the
 * same columns, but line_item_1 for order_item_1.
 */
export const customerOrderExport = marketplaceSource<MoreColumns<typeof CUSTOMER_ORDER>>({
  id: 'woocommerce',
  needs: [
    CUSTOMER_ORDER.order,
    CUSTOMER_ORDER.lastName,
    CUSTOMER_ORDER.street1,
    CUSTOMER_ORDER.city,
    CUSTOMER_ORDER.zip,
  ],
  columns: CUSTOMER_ORDER,
  orderFields: ['status'],
  leftOut: reasonOf,
  finish(draft, _line, record, { keys }) {
    const items: NamedItem[] = []
    for (const at of itemColumns(keys)) {
      const cell = record[at] ?? ''
      if (cell !== '') items.push(...namedItems(cell, ';', ITEM_PARTS))
    }
    useItems(draft, items)
  },
  finishReads: ({ keys }) => itemColumns(keys),
})
