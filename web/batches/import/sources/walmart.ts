/** Walmart Seller Center's order report: one line per order line. */
import { MAX_ROW_EXTRA } from '#contract/row-items.ts'
import { shortenText } from '#contract/text.ts'
import type { RowDraft } from '#web/batches/import/row-draft.ts'
import type { Header } from '#web/batches/import/sheet.ts'
import { texts } from '#web/batches/import/texts.ts'
import type { MoreColumns } from './lines.ts'
import { marketplaceSource, statusKey, statusReason } from './marketplace.ts'

const COLUMNS = {
  order: ['PO#'],
  item: ['Line#'],
  sku: ['SKU'],
  itemName: ['Item Description'],
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
  keepsAllColumns: true,
})

/** The confirmation is the same sheet with the tracking number filled in, so its columns are kept. */
function keepColumns(
  draft: RowDraft,
  _line: unknown,
  record: readonly string[],
  { header }: Header,
): void {
  const { blank, length } = blankExtra(header)
  const extra = { ...blank }
  let size = length
  for (let at = 0; at < header.length; at += 1) {
    const cell = record[at] ?? ''
    extra[header[at]!] = cell
    size += cell.length
  }
  if (size > MAX_ROW_EXTRA) dropLongest(draft, extra, size)
  const { orderItemId, skuNumber: sku, quantity } = draft
  draft.items = [{ orderItemId, sku, quantity, extra }]
}

type BlankExtra = { blank: Record<string, string>; length: number }
const blanks = new WeakMap<readonly string[], BlankExtra>()

/** A copy of it is made faster than an object with these keys. `length`: of all names. */
function blankExtra(header: readonly string[]): BlankExtra {
  const known = blanks.get(header)
  if (known) return known
  const made = {
    blank: Object.fromEntries(header.map(name => [name, ''])),
    length: header.reduce((sum, name) => sum + name.length, 0),
  }
  blanks.set(header, made)
  return made
}

function dropLongest(draft: RowDraft, extra: Record<string, string>, size: number): void {
  const dropped: string[] = []
  let left = size
  const sizeOf = (name: string) => name.length + extra[name]!.length
  for (const name of Object.keys(extra).toSorted((a, b) => sizeOf(b) - sizeOf(a))) {
    if (left <= MAX_ROW_EXTRA) break
    left -= sizeOf(name)
    delete extra[name]
    dropped.push(shortenText(name))
  }
  draft.notices.push(texts.extraTooLong(dropped.slice(0, 5).join(', ')))
}
