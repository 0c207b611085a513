/** From the rows of labels to packing slips and pick lists. Without a database. */
import type { RowItem } from '#contract/rows.ts'
import type { PackingItem, PickLine } from '#server/labels/packing-pdf.ts'
import type { PackedSource } from '#server/orders/service.ts'
import { sortInTurns } from '#server/platform/process/sort-in-turns.ts'
import { countedTurns } from '#server/platform/process/turns.ts'
import { naturalKey } from './natural-key.ts'

/** What of an order is packed: by SKU, repeats together. `descriptions`: the saved ones by SKU. */
export type PackedOrder = Pick<
  PackedSource,
  'orderRef' | 'items' | 'sku' | 'quantity' | 'description'
>

/** Counting or naming so many takes some 5 ms; then other requests run. */
export const ITEMS_A_TURN = 2_000

/** Compared with <: SKU-9 before SKU-10; without a SKU last, by description. */
export const packingKey = ({ sku, description }: { sku: string; description: string }): string =>
  sku === '' ? `1${naturalKey(description)}` : `0${naturalKey(sku)}`

export const compareKeys = (a: { key: string }, b: { key: string }): number =>
  Number(a.key > b.key) - Number(a.key < b.key)

/** A missing quantity is one. */
const countOf = (quantity: string): number => Math.max(1, Number.parseInt(quantity, 10) || 1)

/** The items of a label, as they are in its row; one that is not combined is its own item. */
function itemsOf(
  { items, sku, quantity, description }: PackedOrder,
  descriptions: ReadonlyMap<string, string>,
): (PackingItem & { orderId: string | undefined })[] {
  if (!items || items.length === 0) {
    const shown = description || (descriptions.get(sku) ?? '')
    return [{ sku, description: shown, quantity: countOf(quantity), orderId: undefined }]
  }
  const isOnly = items.length === 1
  const own = isOnly ? description : describedWithoutSku(description, items)
  return items.map(item => ({
    sku: item.sku,
    description: descriptions.get(item.sku) ?? (isOnly || item.sku === '' ? own : ''),
    quantity: countOf(item.quantity),
    orderId: item.orderId,
  }))
}

/**
 * The description of a combined row names all items, as '2x TEE, 1x Poster'. Those without a SKU have no other name, so
 * it is theirs without the entries of SKUs; a single name without its number adds up with other rows.
 */
function describedWithoutSku(description: string, items: readonly RowItem[]): string {
  const counts = new Map<string, number>()
  const entries = new Set<string>()
  for (const { sku, quantity } of items) {
    const count = (counts.get(sku) ?? 0) + countOf(quantity)
    counts.set(sku, count)
    entries.add(`${countOf(quantity)}x ${sku}`).add(`${count}x ${sku}`)
  }
  const left = description.split(', ').filter(entry => !entries.has(entry))
  const [only] = left
  const number = `${counts.get('')}x `
  return left.length === 1 && only!.startsWith(number)
    ? only!.slice(number.length)
    : left.join(', ')
}

/** Sorted by SKU, the same SKU once. */
export function packingItems(
  row: PackedOrder,
  descriptions: ReadonlyMap<string, string>,
): PackingItem[] {
  const found = new Map<string, PackingItem>()
  for (const { sku, description, quantity } of itemsOf(row, descriptions)) {
    const key = keyOf(sku, description)
    const before = found.get(key)
    found.set(key, { sku, description, quantity: quantity + (before?.quantity ?? 0) })
  }
  return [...found.values()]
    .map(item => ({ item, key: packingKey(item) }))
    .sort(compareKeys)
    .map(({ item }) => item)
}

/** Key of the first item on the label's slip. */
export const firstKeyOf = (row: PackedOrder): string =>
  itemsOf(row, NO_DESCRIPTIONS)
    .map(packingKey)
    .reduce((first, key) => (key < first ? key : first))

const NO_DESCRIPTIONS: ReadonlyMap<string, string> = new Map()

/** A SKU is one line, also where its rows describe it differently; without a SKU the description tells. */
const keyOf = (sku: string, description: string): string => (sku === '' ? `\n${description}` : sku)

/** The SKUs whose saved descriptions are needed. */
export const skusOf = ({ items, sku }: PackedOrder): string[] =>
  items && items.length > 0 ? items.map(item => item.sku) : [sku]

export const itemCountOf = ({ items }: PackedOrder): number => Math.max(1, items?.length ?? 0)

/** The order ids of a label, or `fallback` where its row has none. */
export const orderIdsOf = ({ items, orderRef }: PackedOrder, fallback: string): string[] => [
  ...new Set(
    (items ?? [{}]).map(item => ('orderId' in item && item.orderId) || orderRef || fallback),
  ),
]

/** Adds up rows to a pick list. */
export class PickListBuilder {
  readonly #lines = new Map<string, PackingItem & { orders: Set<string> }>()

  /** `label`: the label's number, for a row without an order id. */
  add(row: PackedOrder, label: number, descriptions: ReadonlyMap<string, string>): void {
    for (const { sku, description, quantity, orderId } of itemsOf(row, descriptions)) {
      const key = keyOf(sku, description)
      const line = this.#lines.get(key) ?? { sku, description, quantity: 0, orders: new Set() }
      line.quantity += quantity
      line.description ||= description
      line.orders.add(orderId ?? row.orderRef ?? `label ${label}`)
      this.#lines.set(key, line)
    }
  }

  /** Sorted by SKU. Other requests run meanwhile. */
  async lines(): Promise<PickLine[]> {
    const turn = countedTurns(ITEMS_A_TURN)
    const keyed: { key: string; line: PickLine }[] = []
    for (const { sku, description, quantity, orders } of this.#lines.values()) {
      const line = { sku, description, quantity, orders: orders.size }
      keyed.push({ key: packingKey(line), line })
      await turn()
    }
    return (await sortInTurns(keyed, compareKeys)).map(({ line }) => line)
  }
}
