import { fieldByName } from '#contract/rows.ts'
import type { RowItem, SubmittedRow } from '#contract/rows.ts'
import { isFarTooLong, tidyText } from '#contract/text.ts'
import { isGeneratedId } from '#server/labels/auto-confirm.ts'
import { orderKeyOf } from '#server/orders/search.ts'
import type { LabelOfOrder } from '#server/orders/service.ts'

/** `row` counts from 1; `itemRef`: null for the whole order. */
export type SeenKey = { row: number; reference: string; itemRef: string | null }

export type SeenLabel = { row: number; orderId: number; trackingNumber: string | null; at: Date }

/** Null without an order id. */
function seenKey(row: number, orderId: string, orderItemId: string): SeenKey | null {
  const reference = orderKeyOf(orderId)
  if (reference === '') return null
  return { row, reference, itemRef: knownItem(orderItemId) }
}

/** From unchecked entries; those without an order id have no key. `before`: entries of earlier pages. */
export function readSeenKeys(
  entries: readonly unknown[],
  before: number,
): { keys: SeenKey[]; errors: [field: string, text: string][] } {
  const keys: SeenKey[] = []
  const errors: [string, string][] = []
  for (const [index, entry] of entries.entries()) {
    const n = before + index + 1
    const { row, orderId, orderItemId } = (entry ?? {}) as Record<string, unknown>
    if (!isRowNumber(row)) errors.push([`${n}.row`, 'row must be a whole number of at least 1'])
    const [order, item] = [idText(orderId), idText(orderItemId)]
    if (order === null) errors.push([`${n}.orderId`, `orderId ${NOT_AN_ID}`])
    if (item === null) errors.push([`${n}.orderItemId`, `orderItemId ${NOT_AN_ID}`])
    const key = isRowNumber(row) ? seenKey(row, order ?? '', item ?? '') : null
    if (key) keys.push(key)
  }
  return { keys, errors }
}

const isRowNumber = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1

const MAX_ID = fieldByName('orderId').max
const NOT_AN_ID = `must be text of at most ${MAX_ID} characters`

/** Tidied as the ids of rows are; null if it is no such text. */
function idText(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : (value ?? '')
  if (typeof text !== 'string' || isFarTooLong(text, MAX_ID)) return null
  const tidy = tidyText(text)
  return tidy.length > MAX_ID ? null : tidy
}

const knownItem = (id: string | null): string | null =>
  id === null || id === '' || isGeneratedId(id) ? null : id

/** One for each item of a row; null for one without an order id. */
function seenKeysOf(row: number, submitted: SubmittedRow): (SeenKey | null)[] {
  const { orderId, orderItemId, items } = submitted
  const own: Pick<RowItem, 'orderId' | 'orderItemId'>[] = items ?? [{ orderItemId }]
  return own.map(item => seenKey(row, item.orderId ?? orderId, item.orderItemId))
}

/** Collects the keys of submitted rows, a page at a time; `before`: rows of earlier pages. */
export function createSeenKeys(): {
  add(rows: readonly SubmittedRow[], before: number): void
  found(): { keys: SeenKey[]; lacksOrderIds: boolean }
} {
  const keys: SeenKey[] = []
  let lacksOrderIds = false
  return {
    add(rows, before) {
      for (const [index, row] of rows.entries()) {
        for (const key of seenKeysOf(before + index + 1, row)) {
          if (key) keys.push(key)
          else lacksOrderIds = true
        }
      }
    },
    found: () => ({ keys, lacksOrderIds }),
  }
}

/** The newest label of an order: of any item, of the whole order, and by item. */
type OrderLabels = {
  any: LabelOfOrder
  whole: LabelOfOrder | null
  byItem: Map<string, LabelOfOrder>
}

/**
 * The newest label of each row that has one, in the order of rows. A label or row without an item
 * id stands for all items of its order. `labels` oldest first.
 */
export function matchSeen(keys: readonly SeenKey[], labels: readonly LabelOfOrder[]): SeenLabel[] {
  const orders = new Map<string, OrderLabels>()
  for (const label of labels) {
    const order = orders.get(label.reference) ?? { any: label, whole: null, byItem: new Map() }
    const item = knownItem(label.itemRef)
    order.any = label
    if (item === null) order.whole = label
    else order.byItem.set(item, label)
    orders.set(label.reference, order)
  }
  const seen = new Map<number, LabelOfOrder>()
  for (const { row, reference, itemRef } of keys) {
    const order = orders.get(reference)
    if (!order) continue
    const label = itemRef === null ? order.any : newer(order.byItem.get(itemRef), order.whole)
    if (label) seen.set(row, newer(label, seen.get(row))!)
  }
  return [...seen]
    .map(([row, { id, trackingNumber, at }]) => ({ row, orderId: id, trackingNumber, at }))
    .sort((a, b) => a.row - b.row)
}

function newer(
  a: LabelOfOrder | null | undefined,
  b: LabelOfOrder | null | undefined,
): LabelOfOrder | null {
  if (!a || !b) return a ?? b ?? null
  return a.id >= b.id ? a : b
}
