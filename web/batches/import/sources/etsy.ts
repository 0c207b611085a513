/** Etsy's two exports: one line per order, and one line per item. */
import { texts } from '#web/batches/import/texts.ts'
import type { Line, MoreColumns } from './lines.ts'
import { marketplaceSource, statusKey } from './marketplace.ts'

const r = texts.reasons

/** The second names are those of a British shop. */
const SHARED = {
  order: ['Order ID'],
  state: ['Ship State', 'Delivery State'],
  city: ['Ship City', 'Delivery City'],
  zip: ['Ship Zipcode', 'Delivery Zipcode'],
  country: ['Ship Country', 'Delivery Country'],
  sku: ['SKU'],
  shippedOn: ['Date Shipped', 'Date Posted'],
  status: ['Status'],
  place: ['InPerson Location'],
} as const

const ORDERS = {
  ...SHARED,
  quantity: ['Number of Items'],
  name: ['Full Name'],
  firstName: ['First Name'],
  lastName: ['Last Name'],
  street1: ['Street 1'],
  street2: ['Street 2'],
} as const

const ITEMS = {
  ...SHARED,
  item: ['Transaction ID'],
  itemName: ['Item Name'],
  quantity: ['Quantity'],
  name: ['Ship Name', 'Delivery Name'],
  street1: ['Ship Address1', 'Delivery Address1'],
  street2: ['Ship Address2', 'Delivery Address2'],
} as const

/** One line per order. Of several SKUs, the list is the package's description. */
export const etsy = marketplaceSource<MoreColumns<typeof ORDERS>>({
  id: 'etsy',
  needs: [
    ORDERS.order,
    ['Full Name', 'First Name'],
    ORDERS.street1,
    ORDERS.city,
    ORDERS.zip,
    ORDERS.shippedOn,
  ],
  columns: ORDERS,
  leftOut: reasonOf,
  finish(draft) {
    const skus = draft.skuNumber.split(',').map(sku => sku.trim())
    if (skus.length < 2) return
    draft.PackageDescription = skus.join(', ')
    draft.skuNumber = ''
    draft.PackageReference2 = ''
  },
})

/** One line per item, with the address on each. */
export const etsyItems = marketplaceSource<MoreColumns<typeof ITEMS>>({
  id: 'etsy-items',
  needs: [ITEMS.order, ITEMS.item, ITEMS.name, ITEMS.street1, ITEMS.city, ITEMS.zip],
  columns: ITEMS,
  leftOut: reasonOf,
})

function reasonOf({
  shippedOn,
  status,
  place,
}: Line<'shippedOn' | 'status' | 'place'>): string | null {
  if (/cancel/.test(statusKey(status.slice(0, 60)))) return r.cancelled
  if (/^(?:fully )?refunded$/.test(statusKey(status))) return r.refunded
  if (shippedOn !== '') return r.shipped
  return place === '' ? null : r.inPerson
}
