/** TikTok Shop's (US) export of orders: one line per SKU, with a line of explanations below the header. */
import { texts } from '#web/batches/import/texts.ts'
import type { Line, MoreColumns } from './lines.ts'
import { marketplaceSource, statusKey, statusReason } from './marketplace.ts'

const r = texts.reasons

const COLUMNS = {
  order: ['Order ID'],
  sku: ['Seller SKU'],
  itemName: ['Product Name'],
  quantity: ['Quantity'],
  name: ['Recipient'],
  phone: ['Phone #'],
  street1: ['Address Line 1'],
  street2: ['Address Line 2'],
  city: ['City'],
  state: ['State'],
  zip: ['Zipcode', 'Zip Code'],
  country: ['Country'],
  weight: ['Weight(kg)'],
  status: ['Order Status'],
  substatus: ['Order Substatus'],
  returned: ['Sku Quantity of return'],
  fulfilledBy: ['Fulfillment Type'],
} as const
type TikTokLine = Line<MoreColumns<typeof COLUMNS>>

export const tiktok = marketplaceSource<MoreColumns<typeof COLUMNS>>({
  id: 'tiktok',
  needs: [COLUMNS.order, COLUMNS.name, COLUMNS.street1, COLUMNS.city, COLUMNS.zip],
  columns: COLUMNS,
  weightUnit: 'kg',
  noItem: ({ order, zip, quantity }) =>
    /^\S*\d\S*$/.test(order.slice(0, 60)) || /^\d/.test(quantity) || /^[\d*]/.test(zip)
      ? null
      : r.explanation,
  leftOut: reasonOf,
  finish(draft, { returned, quantity }) {
    const back = Number(returned)
    const left = Number(quantity) - back
    if (!(back > 0 && left > 0)) return
    draft.quantity = String(left)
    draft.PackageReference1 = draft.quantity
    draft.notices.push(texts.amazon.partlyShipped(draft.quantity, quantity))
  },
})

function reasonOf({
  status,
  substatus,
  returned,
  quantity,
  fulfilledBy,
}: TikTokLine): string | null {
  if (/tiktok|fbt/i.test(fulfilledBy.slice(0, 60))) return r.shippedByMarketplace
  const key = statusKey(substatus || status)
  if (!['awaiting shipment', 'to ship', ''].includes(key)) return statusReason(substatus || status)
  return Number(returned) > 0 && Number(returned) >= Number(quantity) ? r.refunded : null
}
