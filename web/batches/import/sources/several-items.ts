/** Orders on one line: their items stand in one or several cells. */
import { fieldByName } from '#contract/rows.ts'
import type { RowItem } from '#contract/rows.ts'
import { joinWithin } from '#web/batches/bulk/parcels/row-items.ts'
import { wholeNumber } from '#web/batches/import/row-draft.ts'
import type { RowDraft } from '#web/batches/import/row-draft.ts'

/** An item as a cell names it. */
export type NamedItem = { name: string; sku: string; quantity: string }

const MAX_DESCRIPTION = fieldByName('PackageDescription').max

/** Longer cells are no list of items that people ordered. */
const MAX_LIST = 20_000

/** A part of an item's text: from behind `label` to `end`, or to the end of the text. */
type ItemPart = { label: string; end: string }
/** `canFollow`: whether a label may stand behind the character of that code. */
type ItemParts = Record<keyof NamedItem, ItemPart> & { canFollow: (code: number) => boolean }

/**
 * Items that a cell lists with named parts, such as 'name:Mug|sku:MUG|quantity:2'. `between` separates
 * items. One without a quantity is not listed.
 */
export function namedItems(cell: string, between: string, parts: ItemParts): NamedItem[] {
  if (cell === '' || cell.length > MAX_LIST) return []
  const items: NamedItem[] = []
  for (const item of cell.split(between)) {
    const quantity = wholeNumber(partOf(item, parts.quantity, parts))
    if (!WHOLE_NUMBER.test(quantity)) continue
    const name = partOf(item, parts.name, parts)
    items.push({ name, sku: partOf(item, parts.sku, parts), quantity })
  }
  return items
}

const WHOLE_NUMBER = /^\d{1,6}$/

/** '' without its label. Not by patterns, which take most of the time of a whole file. */
function partOf(item: string, { label, end }: ItemPart, { canFollow }: ItemParts): string {
  let at = item.indexOf(label)
  while (at > 0 && !canFollow(item.charCodeAt(at - 1))) at = item.indexOf(label, at + 1)
  if (at < 0) return ''
  const start = at + label.length
  const last = item.indexOf(end, start)
  return item.slice(start, last < 0 ? item.length : last).trim()
}

const CONTROL = /\p{Cc}/gu

/** A row must not fail for names of items, so a space replaces what can't be printed. */
const describe = (entries: string[]): string =>
  joinWithin(entries, MAX_DESCRIPTION).replace(CONTROL, ' ')

/** Without a SKU only its name tells which item is packed. */
export function describeByName(draft: RowDraft, name: string): void {
  if (draft.skuNumber !== '' || name === '') return
  draft.PackageDescription ||= describe([name])
}

/** One item is the row's, described by its name without a SKU; several are its items, with their list as the description. */
export function useItems(draft: RowDraft, items: readonly NamedItem[]): void {
  const [only] = items
  if (!only) return
  const total = items.reduce((sum, { quantity }) => sum + Number(quantity), 0)
  draft.quantity = String(total)
  draft.PackageReference1 = draft.quantity
  if (items.length === 1) {
    draft.skuNumber = only.sku
    draft.PackageReference2 = only.sku
    describeByName(draft, only.name)
    return
  }
  draft.skuNumber = ''
  draft.PackageReference2 = ''
  draft.PackageDescription = describe(
    items.map(({ name, sku, quantity }) => `${quantity}x ${sku || name}`),
  )
  draft.items = items.map(({ sku, quantity }, index): RowItem => ({
    orderItemId: `${draft.orderId}-${index + 1}`,
    sku,
    quantity,
  }))
}
