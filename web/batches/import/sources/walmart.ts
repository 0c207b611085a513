/** Walmart Seller Center's order report: one line per order line. */
import { MAX_ROW_EXTRA } from '#contract/row-items.ts'
import { shortenText } from '#contract/text.ts'
import type { RowDraft } from '#web/batches/import/row-draft.ts'
import type { Sheet } from '#web/batches/import/sheet.ts'
import { texts } from '#web/batches/import/texts.ts'
import { marketplaceSource, statusKey, statusReason } from './marketplace.ts'
import type { MoreColumns } from './marketplace.ts'

const COLUMNS = {
  order: ['PO#'],
  item: ['Line#'],
  sku: ['SKU'],
  quantity: ['Qty'],
  name: ['Customer Name'],
  phone: ['Customer Phone Number'],
  street1: ['Ship to Address 1'],
  street2: ['Ship to Address 2'],
  city: ['City'],
  state: ['State'],
  zip: ['Zip'],
  status: ['Status'],
  fulfilledBy: ['Fulfillment Entity'],
} as const

export const walmart = marketplaceSource<MoreColumns<typeof COLUMNS>>({
  id: 'walmart',
  needs: [COLUMNS.order, COLUMNS.name, COLUMNS.street1, COLUMNS.city, COLUMNS.zip],
  columns: COLUMNS,
  leftOut({ status, fulfilledBy }) {
    if (/walmart|wfs/i.test(fulfilledBy.slice(0, 60))) return texts.reasons.shippedByMarketplace
    return ['created', 'acknowledged', ''].includes(statusKey(status)) ? null : statusReason(status)
  },
  finish: keepColumns,
})

/** The confirmation is the same sheet with the tracking number filled in, so its columns are kept. */
function keepColumns(
  draft: RowDraft,
  _line: unknown,
  record: readonly string[],
  { header }: Sheet,
): void {
  const cells = header.map((name, at) => [name, (record[at] ?? '').trim()] as const)
  const sizes = cells.map(([name, value]) => name.length + value.length)
  let size = sizes.reduce((sum, one) => sum + one, 0)
  const dropped = new Set<number>()
  while (size > MAX_ROW_EXTRA && dropped.size < cells.length) {
    let largest = -1
    sizes.forEach((one, at) => {
      if (!dropped.has(at) && one > (sizes[largest] ?? -1)) largest = at
    })
    dropped.add(largest)
    size -= sizes[largest]!
  }
  if (dropped.size > 0) {
    const names = cells.flatMap(([name], at) => (dropped.has(at) ? [shortenText(name)] : []))
    draft.notices.push(texts.extraTooLong(names.slice(0, 5).join(', ')))
  }
  const extra = Object.fromEntries(cells.filter(([name], at) => name !== '' && !dropped.has(at)))
  const { orderItemId, skuNumber: sku, quantity } = draft
  draft.items = [{ orderItemId, sku, quantity, extra }]
}
