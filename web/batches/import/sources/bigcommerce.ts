/** BigCommerce's export of orders: one line per order, its products in one cell, or one per product. */
import { texts } from '#web/batches/import/texts.ts'
import type { MoreColumns } from './lines.ts'
import { marketplaceSource, statusKey, statusReason } from './marketplace.ts'
import { namedItems, useItems } from './several-items.ts'

const COLUMNS = {
  order: ['Order ID'],
  sku: ['Product SKU'],
  itemName: ['Product Name'],
  quantity: ['Product Qty', 'Order Total Qty', 'Total Quantity'],
  name: ['Shipping Name'],
  firstName: ['Shipping First Name'],
  lastName: ['Shipping Last Name'],
  company: ['Shipping Company'],
  phone: ['Shipping Phone'],
  street1: ['Shipping Street 1'],
  street2: ['Shipping Street 2'],
  city: ['Shipping City'],
  state: ['Shipping State'],
  zip: ['Shipping Zip Code', 'Shipping Zip'],
  country: ['Shipping Country'],
  status: ['Order Status'],
  products: ['Product Details'],
} as const

const WORD = /\w/
const PRODUCT_PARTS = {
  name: { label: 'Product Name:', end: ', Product ' },
  sku: { label: 'Product SKU:', end: ', Product ' },
  quantity: { label: 'Product Qty:', end: ',' },
  canFollow: (code: number) => code === 0x20 || !WORD.test(String.fromCharCode(code)),
}

export const bigcommerce = marketplaceSource<MoreColumns<typeof COLUMNS>>({
  id: 'bigcommerce',
  needs: [
    COLUMNS.order,
    ['Shipping Name', 'Shipping First Name'],
    COLUMNS.street1,
    COLUMNS.city,
    COLUMNS.zip,
  ],
  columns: COLUMNS,
  orderFields: ['status'],
  leftOut({ status }) {
    const key = statusKey(status)
    if (key === 'awaiting pickup') return texts.reasons.pickup
    return key.startsWith('awaiting ') || ['partially shipped', ''].includes(key)
      ? null
      : statusReason(status)
  },
  finish(draft, { status, products }) {
    if (statusKey(status) === 'awaiting payment') draft.notices.push(texts.awaitsPayment)
    if (statusKey(status) === 'partially shipped') draft.notices.push(texts.partlySent)
    useItems(draft, namedItems(products, '|', PRODUCT_PARTS))
  },
})
