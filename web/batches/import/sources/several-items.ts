/** Orders on one line: their items stand in one or several cells. */
import { fieldByName } from '#contract/rows.ts'
import type { RowItem } from '#contract/rows.ts'
import { joinWithin } from '#web/batches/bulk/row-items.ts'
import { wholeNumber } from '#web/batches/import/row-draft.ts'
import type { RowDraft } from '#web/batches/import/row-draft.ts'

/** An item as a cell names it. */
export type NamedItem = { name: string; sku: string; quantity: string }

/** Longer cells are no list of items that people ordered. */
const MAX_LIST = 20_000

/**
 * Items that a cell lists with named parts: 'name:Mug|sku:MUG|quantity:2' or 'Product SKU: MUG,
 * Product Qty: 2'. `between` separates items, `parts` their parts; the keys name the three parts.
 */
export function namedItems(
  cell: string,
  between: RegExp,
  parts: RegExp,
  keys: { name: string; sku: string; quantity: string },
): NamedItem[] {
  if (cell.length > MAX_LIST) return []
  return cell.split(between).flatMap(item => {
    const found = new Map(
      item.split(parts).map(part => {
        const at = part.indexOf(':')
        return [part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()]
      }),
    )
    const quantity = wholeNumber(found.get(keys.quantity) ?? '')
    return /^\d{1,6}$/.test(quantity)
      ? [{ name: found.get(keys.name) ?? '', sku: found.get(keys.sku) ?? '', quantity }]
      : []
  })
}

/** One item is the row's; several are its items, with their list as the description. */
export function useItems(draft: RowDraft, items: readonly NamedItem[]): void {
  const [only] = items
  if (!only) return
  const total = items.reduce((sum, { quantity }) => sum + Number(quantity), 0)
  draft.quantity = String(total)
  draft.PackageReference1 = draft.quantity
  if (items.length === 1) {
    draft.skuNumber = only.sku
    draft.PackageReference2 = only.sku
    return
  }
  draft.skuNumber = ''
  draft.PackageReference2 = ''
  draft.PackageDescription = joinWithin(
    items.map(({ name, sku, quantity }) => `${quantity}x ${sku || name}`),
    fieldByName('PackageDescription').max,
  )
  draft.items = items.map(({ sku, quantity }, index): RowItem => ({
    orderItemId: `${draft.orderId}-${index + 1}`,
    sku,
    quantity,
  }))
}
