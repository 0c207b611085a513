/** From the rows of labels to packing slips and pick lists. Pure. */
import type { PackingItem, PickLine } from '#server/labels/packing-pdf.ts'
import type { PackedSource } from '#server/orders/service.ts'

/** What of an order is packed: by SKU, repeats together. `descriptions`: the saved ones by SKU. */
export type PackedOrder = Pick<
  PackedSource,
  'orderRef' | 'items' | 'sku' | 'quantity' | 'description'
>

const COLLATOR = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' })

/** SKU-9 before SKU-10; without a SKU last, by description. */
export const compareSkus = (
  a: { sku: string; description: string },
  b: { sku: string; description: string },
): number =>
  Number(a.sku === '') - Number(b.sku === '')
  || (a.sku === ''
    ? COLLATOR.compare(a.description, b.description)
    : COLLATOR.compare(a.sku, b.sku))

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
  return items.map(item => ({
    sku: item.sku,
    // The description of a combined row is of all items.
    description: descriptions.get(item.sku) ?? (items.length === 1 ? description : ''),
    quantity: countOf(item.quantity),
    orderId: item.orderId,
  }))
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
  return [...found.values()].sort(compareSkus)
}

/** A SKU is one line, also where its rows describe it differently; without a SKU the description tells. */
const keyOf = (sku: string, description: string): string => (sku === '' ? `\n${description}` : sku)

/** The SKUs whose saved descriptions are needed. */
export const skusOf = ({ items, sku }: PackedOrder): string[] =>
  items && items.length > 0 ? items.map(item => item.sku) : [sku]

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

  /** Sorted by SKU. */
  lines(): PickLine[] {
    return [...this.#lines.values()]
      .map(({ orders, ...item }) => ({ ...item, orders: orders.size }))
      .sort(compareSkus)
  }
}
