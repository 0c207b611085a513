/** Amazon's unshipped-orders report: one line per order item. */
import { texts } from '#web/batches/import/texts.ts'
import { headerKey } from '#web/client/delimited-text.ts'
import type { Line, MoreColumns } from './lines.ts'
import { marketplaceSource } from './marketplace.ts'

const t = texts.amazon

/**
 * The product promises buyer-company, but every known report writes buyer-company-name. Both
 * quantities are read: what is left to ship counts.
 */
const COLUMNS = {
  order: ['order-id'],
  item: ['order-item-id'],
  sku: ['sku'],
  itemName: ['product-name'],
  quantity: ['quantity-to-ship', 'quantity-purchased'],
  bought: ['quantity-purchased'],
  toShip: ['quantity-to-ship'],
  name: ['recipient-name'],
  phone: ['buyer-phone-number', 'ship-phone-number'],
  company: ['buyer-company', 'buyer-company-name'],
  street1: ['ship-address-1'],
  street2: ['ship-address-2'],
  street3: ['ship-address-3'],
  city: ['ship-city'],
  state: ['ship-state'],
  zip: ['ship-postal-code'],
  country: ['ship-country'],
} as const

const REQUIRED = ['order', 'name', 'street1', 'city', 'state', 'zip'] as const
/** Two of these are in no other known file. */
const TYPICAL_KEYS = [
  'orderitemid',
  'quantitypurchased',
  'recipientname',
  'buyerphonenumber',
  'shippostalcode',
]

const EXTENSION = /ext[\s\S]*$/i

export const amazon = marketplaceSource<MoreColumns<typeof COLUMNS>>({
  id: 'amazon',
  needs: REQUIRED.map(column => COLUMNS[column]),
  columns: COLUMNS,
  itemIdsByLine: true,
  leftOut: ({ toShip }) =>
    toShip !== '' && Number(toShip) === 0 ? texts.reasons.nothingToShip : null,
  finish(draft, { toShip, bought }) {
    if (toShip !== '' && bought !== '' && toShip !== bought)
      draft.notices.push(t.partlyShipped(toShip, bought))
    draft.ToPhone = draft.ToPhone.replace(EXTENSION, '').trim()
  },
  notices: extensionNotices,
})

/** Nearly every phone of a report is the marketplace's own with an extension: one sentence for all. */
function extensionNotices(lines: readonly Line[]): string[] {
  const dropped = lines.filter(({ phone }) => EXTENSION.test(phone))
  const [first] = dropped
  const named = first && EXTENSION.exec(first.phone)?.[0]
  return named ? [t.extensionsDropped(dropped.length, named.slice(0, 20))] : []
}

/** Why a file of this marketplace is not the report that is read; null if it is of another. */
export function amazonProblem(file: string, header: readonly string[]): string | null {
  const keys = header.map(headerKey)
  if (keys.includes('amazonorderid')) return t.allOrders(file)
  if (keys.includes('carriercode') && keys.includes('trackingnumber') && keys.includes('orderid'))
    return t.confirmation(file)
  if (TYPICAL_KEYS.filter(key => keys.includes(key)).length < 2) return null
  const missing = REQUIRED.filter(
    column => !COLUMNS[column].some(name => keys.includes(headerKey(name))),
  )
  return missing.length > 0
    ? t.missingColumns(
        file,
        missing.map(column => COLUMNS[column][0]),
      )
    : null
}
