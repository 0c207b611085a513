/** Shopify's export of orders: later lines of an order carry their item only. */
import { texts } from '#web/batches/import/texts.ts'
import { setEmail } from './email-column.ts'
import type { Line, MoreColumns } from './lines.ts'
import { marketplaceSource, statusKey } from './marketplace.ts'

const r = texts.reasons

const COLUMNS = {
  order: ['Name'],
  sku: ['Lineitem sku'],
  itemName: ['Lineitem name'],
  quantity: ['Lineitem quantity'],
  name: ['Shipping Name'],
  company: ['Shipping Company'],
  phone: ['Shipping Phone'],
  street1: ['Shipping Address1', 'Shipping Street'],
  street2: ['Shipping Address2'],
  city: ['Shipping City'],
  state: ['Shipping Province', 'Shipping Province Name'],
  zip: ['Shipping Zip'],
  country: ['Shipping Country'],
  payment: ['Financial Status'],
  fulfillment: ['Fulfillment Status'],
  cancelledAt: ['Cancelled at'],
  method: ['Shipping Method'],
  needsShipping: ['Lineitem requires shipping'],
  itemFulfillment: ['Lineitem fulfillment status'],
  email: ['Email'],
} as const
type ShopifyLine = Line<MoreColumns<typeof COLUMNS>>

export const shopify = marketplaceSource<MoreColumns<typeof COLUMNS>>({
  id: 'shopify',
  needs: [
    COLUMNS.order,
    ['Lineitem quantity', 'Lineitem name'],
    COLUMNS.name,
    COLUMNS.street1,
    COLUMNS.city,
    COLUMNS.zip,
  ],
  columns: COLUMNS,
  orderFields: ['payment', 'fulfillment', 'cancelledAt', 'method', 'email'],
  leftOut: reasonOf,
  finish(draft, { payment, email }) {
    setEmail(draft, email)
    if (statusKey(payment) === 'partially refunded') draft.notices.push(texts.partlyRefunded)
  },
})

function reasonOf(line: ShopifyLine): string | null {
  const payment = statusKey(line.payment)
  if (line.cancelledAt !== '') return r.cancelled
  if (payment === 'refunded') return r.refunded
  if (payment === 'voided') return r.voided
  if ([line.fulfillment, line.itemFulfillment].some(status => statusKey(status) === 'fulfilled'))
    return r.fulfilled
  if (statusKey(line.needsShipping) === 'false') return r.needsNoShipping
  if (/\bpick ?up\b/.test(statusKey(line.method.slice(0, 60)))) return r.pickup
  return line.street1 === '' && line.city === '' && line.zip === '' ? r.noAddress : null
}
