/** The order items of a row: quantities, descriptions, and parcels of a SKU's largest quantity. Pure. */
import { numberText } from '#contract/format.ts'
import { fieldByName } from '#contract/rows.ts'
import type { RowItem } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

const WHOLE_NUMBER = /^\d{1,6}$/

/** An empty quantity is 1; null for text that is not a whole number of at least 1. */
function parseQuantity(text: string): number | null {
  const written = text.trim()
  if (written === '') return 1
  return WHOLE_NUMBER.test(written) && Number(written) >= 1 ? Number(written) : null
}

/** Whether the row is one parcel of several lines. */
export const isCombined = ({ items, parts }: Pick<GridRow, 'items' | 'parts'>): boolean =>
  (parts?.length ?? 0) > 1 || (items?.length ?? 0) > 1

/** The items of a row. A row of one item has its present ids, SKU and quantity. */
export function itemsOf(row: GridRow): RowItem[] {
  if (row.items && isCombined(row)) return row.items
  const [item] = row.items ?? []
  return [
    { ...item, orderItemId: row.orderItemId, sku: row.skuNumber, quantity: row.quantity || '1' },
  ]
}

/** The sum as text; the first one that is not a whole number, so that it stays an error of the row. */
export function sumOfQuantities(quantities: readonly string[]): string {
  const wrong = quantities.find(quantity => parseQuantity(quantity) === null)
  if (wrong !== undefined) return wrong
  return String(quantities.reduce((sum, quantity) => sum + (parseQuantity(quantity) ?? 0), 0))
}

/** The description if it is one, else '2x TEE, 1x MUG': SKU or description of each line. */
export function descriptionOf(lines: readonly GridRow[]): string {
  const [first] = lines
  if (!first) return ''
  if (lines.every(line => line.PackageDescription === first.PackageDescription)) {
    const isOneSku = lines.every(line => line.skuNumber === first.skuNumber)
    if (isOneSku || first.PackageDescription !== '') return first.PackageDescription
  }
  const counts = new Map<string, number>()
  for (const line of lines) {
    const name = line.skuNumber || line.PackageDescription || 'item'
    counts.set(name, (counts.get(name) ?? 0) + (parseQuantity(line.quantity) ?? 1))
  }
  return joinWithin(
    Array.from(counts, ([name, count]) => `${count}x ${name}`),
    fieldByName('PackageDescription').max,
  )
}

/** Of an emoji that was cut: it cannot be stored. */
const HALF_CHARACTER = /[\ud800-\udbff]$/

/** Joined by commas; what does not fit is counted: 'A, B, 3 more'. */
export function joinWithin(entries: readonly string[], max: number): string {
  const all = entries.join(', ')
  if (all.length <= max) return all
  for (let kept = entries.length - 1; kept > 0; kept--) {
    const text = [...entries.slice(0, kept), `${numberText(entries.length - kept)} more`].join(', ')
    if (text.length <= max) return text
  }
  return all.slice(0, max).replace(HALF_CHARACTER, '')
}

/** '2x TEE, 1x MUG': the items by SKU. */
export const listOfItems = (items: readonly RowItem[]): string =>
  joinWithin(
    items.map(({ sku, quantity }) => `${quantity}x ${sku || 'item'}`),
    fieldByName('PackageDescription').max,
  )

/** How many packages the row's quantity fills by the SKU record; 1 without one. */
export function packagesOf(row: GridRow, sku: SkuMeasures | undefined): number {
  const quantity = parseQuantity(row.quantity)
  return sku && quantity !== null ? Math.ceil(quantity / sku.maxQty) : 1
}

/** More parcels of one row are a typing error in its quantity. */
export const MAX_PARCELS = 100

/** Whether the row fills 2 to 100 packages, and the quantities of its items are together the row's. */
export function canSplit(row: GridRow, sku: SkuMeasures | undefined): boolean {
  const parcels = packagesOf(row, sku)
  if (parcels < 2 || parcels > MAX_PARCELS) return false
  const sum = sumOfQuantities(itemsOf(row).map(({ quantity }) => quantity))
  return parseQuantity(sum) === parseQuantity(row.quantity)
}

/** The row with only these of its items, one or more: its order, item id and SKU are theirs. */
export function withItems(row: GridRow, items: readonly RowItem[]): GridRow {
  const [first] = items as [RowItem]
  const orderId = first.orderId ?? row.orderId
  const next: GridRow = {
    ...row,
    orderId,
    orderItemId: first.orderItemId,
    items: items.map(({ orderId: ofItem = row.orderId, ...item }) =>
      ofItem === orderId ? item : { ...item, orderId: ofItem },
    ),
  }
  if (items.length > 1) return next
  next.skuNumber = first.sku
  if (row.PackageReference2 === row.skuNumber) next.PackageReference2 = first.sku
  return next
}

/**
 * The row as parcels of at most `sku.maxQty` pieces, each with the record's weight and size, the ids
 * from `nextId` on for all but the first. Its items are divided among them in their order. The same
 * row where `canSplit` is false.
 */
export function splitByMaxQty(row: GridRow, sku: SkuMeasures, nextId: number): GridRow[] {
  if (!canSplit(row, sku)) return [row]
  const { parts: _parts, items: given, ...rest } = row
  const total = parseQuantity(row.quantity) ?? 1
  const open = itemsOf(row).map(item => ({ item, left: parseQuantity(item.quantity) ?? 1 }))
  return Array.from({ length: packagesOf(row, sku) }, (_, index) => {
    const pieces = Math.min(sku.maxQty, total - index * sku.maxQty)
    const items = takePieces(open, pieces)
    const quantity = String(pieces)
    const { items: own, ...parcel } = withItems(rest, items)
    return {
      ...parcel,
      id: index === 0 ? row.id : `row-${nextId + index - 1}`,
      quantity,
      PackageReference1: row.PackageReference1 === row.quantity ? quantity : row.PackageReference1,
      PackageWeight: String(sku.weight),
      PackageLength: String(sku.length),
      PackageWidth: String(sku.width),
      PackageHeight: String(sku.height),
      ...(given && own && { items: own }),
    }
  })
}

function takePieces(open: { item: RowItem; left: number }[], pieces: number): RowItem[] {
  const taken: RowItem[] = []
  let missing = pieces
  for (const entry of open) {
    const count = Math.min(entry.left, missing)
    if (count === 0) continue
    entry.left -= count
    missing -= count
    taken.push({ ...entry.item, quantity: String(count) })
  }
  return taken
}

/** A number for a new row's id that no row of the table has, parts included. */
export const nextRowNumber = (rows: readonly GridRow[]): number =>
  rows.reduce(
    (next, row) =>
      Math.max(next, Number(row.id.slice(4)) + 1, row.parts ? nextRowNumber(row.parts) : 0),
    0,
  )
