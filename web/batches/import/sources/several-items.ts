/** Orders on one line: their items stand in one or several cells. */
import { fieldByName } from '#contract/rows.ts'
import type { RowItem } from '#contract/rows.ts'
import { joinWithin } from '#web/batches/bulk/parcels/row-items.ts'
import { wholeNumber } from '#web/batches/import/row-draft.ts'
import type { RowDraft } from '#web/batches/import/row-draft.ts'

/** An item as a cell names it. */
export type NamedItem = { name: string; sku: string; quantity: string }

/** Longer cells are no list of items that people ordered. */
const MAX_LIST = 20_000

/** Where an item's text has its parts, each as the first group. */
export type ItemParts = { name: RegExp; sku: RegExp; quantity: RegExp }

/**
 * Items that a cell lists with named parts, such as 'name:Mug|sku:MUG|quantity:2'. `between` separates
 * items. One without a quantity is not listed.
 */
export function namedItems(cell: string, between: string, parts: ItemParts): NamedItem[] {
  if (cell === '' || cell.length > MAX_LIST) return []
  const items: NamedItem[] = []
  for (const item of cell.split(between)) {
    const quantity = wholeNumber(partOf(item, parts.quantity))
    if (WHOLE_NUMBER.test(quantity))
      items.push({ name: partOf(item, parts.name), sku: partOf(item, parts.sku), quantity })
  }
  return items
}

const WHOLE_NUMBER = /^\d{1,6}$/
const partOf = (item: string, part: RegExp): string => part.exec(item)?.[1]?.trim() ?? ''

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
