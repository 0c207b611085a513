/**
 * eBay Seller Hub's orders report. An order of several items has a parent line with the address,
 * without an item number.
 */
import { texts } from '#web/batches/import/texts.ts'
import type { MoreColumns } from './lines.ts'
import { marketplaceSource } from './marketplace.ts'

const r = texts.reasons

const COLUMNS = {
  order: ['Order Number'],
  item: ['Transaction ID'],
  itemNumber: ['Item Number'],
  sku: ['Custom Label', 'Custom Label (SKU)'],
  itemName: ['Item Title'],
  quantity: ['Quantity'],
  name: ['Ship To Name'],
  phone: ['Ship To Phone'],
  street1: ['Ship To Address 1'],
  street2: ['Ship To Address 2'],
  city: ['Ship To City'],
  state: ['Ship To State'],
  zip: ['Ship To Zip'],
  country: ['Ship To Country'],
  paidOn: ['Paid On Date'],
  shippedOn: ['Shipped On Date'],
} as const

/** The last lines have cells of their own: '2,record(s) downloaded,from ,Nov-01-26'. */
const COUNT_OF_RECORDS = /^record\(s\) downloaded/

export const ebay = marketplaceSource<MoreColumns<typeof COLUMNS>>({
  id: 'ebay',
  needs: [COLUMNS.order, COLUMNS.name, COLUMNS.street1, COLUMNS.city, COLUMNS.zip],
  columns: COLUMNS,
  orderFields: ['paidOn', 'shippedOn'],
  noItem({ order, itemNumber }, siblings) {
    if (COUNT_OF_RECORDS.test(order)) return r.noOrder
    return itemNumber === '' && siblings.some(line => line.itemNumber !== '') ? r.parent : null
  },
  leftOut({ shippedOn, paidOn }, has) {
    if (shippedOn !== '') return r.shipped
    return paidOn === '' && has('paidOn') ? r.unpaid : null
  },
})
