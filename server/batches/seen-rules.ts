import type { FieldFault } from '#contract/faults.ts'
import { fieldByName } from '#contract/rows.ts'
import type { RowItem, SubmittedRow } from '#contract/rows.ts'
import { isFarTooLong, tidyText } from '#contract/text.ts'
import { isCountedId, isGeneratedId } from '#server/labels/auto-confirm.ts'
import { orderKeyOf } from '#server/orders/search.ts'
import type { LabelOfOrder } from '#server/orders/service.ts'

/** `row` counts from 1; ids as they are compared. `itemRef`: null for the whole order. */
export type SeenKey = { row: number; reference: string; itemRef: string | null }

export type SeenLabel = { row: number; label: LabelOfOrder }

/** Null without an order id. */
function seenKey(row: number, orderId: string, orderItemId: string): SeenKey | null {
  const reference = orderKeyOf(orderId)
  if (reference === '') return null
  return { row, reference, itemRef: itemKeyOf(orderItemId) }
}

/** From unchecked entries; those without an order id have no key. `before`: entries of earlier pages. */
export function readSeenKeys(
  entries: readonly unknown[],
  before: number,
): { keys: SeenKey[]; faults: [field: string, fault: FieldFault][] } {
  const keys: SeenKey[] = []
  const faults: [string, FieldFault][] = []
  for (const [index, entry] of entries.entries()) {
    const n = before + index + 1
    const { row, orderId, orderItemId } = (entry ?? {}) as Record<string, unknown>
    if (!isRowNumber(row)) faults.push([`${n}.row`, NOT_A_ROW])
    const [order, item] = [idText(orderId), idText(orderItemId)]
    if (order === null) faults.push([`${n}.orderId`, notAnId('orderId')])
    if (item === null) faults.push([`${n}.orderItemId`, notAnId('orderItemId')])
    const key = isRowNumber(row) ? seenKey(row, order ?? '', item ?? '') : null
    if (key) keys.push(key)
  }
  return { keys, faults }
}

const NOT_A_ROW: FieldFault = {
  code: 'not_a_whole_number',
  text: 'row must be a whole number of at least 1',
}

const isRowNumber = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1

const MAX_ID = fieldByName('orderId').max
const notAnId = (field: string): FieldFault => ({
  code: 'malformed',
  text: `${field} must be text of at most ${MAX_ID} characters`,
})

/** Tidied as the ids of rows are; null if it is no such text. */
function idText(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : (value ?? '')
  if (typeof text !== 'string' || isFarTooLong(text, MAX_ID)) return null
  const tidy = tidyText(text)
  return tidy.length > MAX_ID ? null : tidy
}

/** As item ids are compared; null for the whole order. */
function itemKeyOf(id: string | null): string | null {
  const key = orderKeyOf(id ?? '')
  return key === '' || isGeneratedId(key) ? null : key
}

type RowIds = Pick<SubmittedRow, 'orderId' | 'orderItemId' | 'items'>

/** One for each item of a row; null for one without an order id. */
export function seenKeysOf(row: number, ids: RowIds): (SeenKey | null)[] {
  const { orderId, orderItemId, items } = ids
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

/** The newest label of an order: of any item, of the whole order, by item, by the kind of its id. */
type OrderLabels = {
  any: LabelOfOrder
  whole?: LabelOfOrder
  byItem: Map<string, LabelOfOrder>
  counted?: LabelOfOrder
  given?: LabelOfOrder
}

/**
 * The newest label of each row that has one, in the order of rows. A label or row without an item
 * id stands for all items of its order. So does a counted item id beside one that the shop gave,
 * because they cannot be compared. `labels` oldest first.
 */
export function matchSeen(keys: readonly SeenKey[], labels: readonly LabelOfOrder[]): SeenLabel[] {
  const orders = new Map<string, OrderLabels>()
  for (const label of labels) {
    const order: OrderLabels = orders.get(label.reference) ?? { any: label, byItem: new Map() }
    const item = itemKeyOf(label.itemRef)
    order.any = label
    if (item === null) order.whole = label
    else {
      order.byItem.set(item, label)
      order[isCountedId(label.reference, item) ? 'counted' : 'given'] = label
    }
    orders.set(label.reference, order)
  }
  const seen = new Map<number, LabelOfOrder>()
  for (const { row, reference, itemRef } of keys) {
    const order = orders.get(reference)
    if (!order) continue
    const label = itemRef === null ? order.any : labelOfItem(order, reference, itemRef)
    if (label) seen.set(row, newer(label, seen.get(row))!)
  }
  return [...seen].map(([row, label]) => ({ row, label })).sort((a, b) => a.row - b.row)
}

function labelOfItem(
  { byItem, whole, counted, given }: OrderLabels,
  reference: string,
  item: string,
): LabelOfOrder | undefined {
  const ofOtherKind = isCountedId(reference, item) ? given : counted
  return newer(newer(byItem.get(item), whole), ofOtherKind)
}

function newer(a: LabelOfOrder | undefined, b: LabelOfOrder | undefined): LabelOfOrder | undefined {
  if (!a || !b) return a ?? b
  return a.id >= b.id ? a : b
}
