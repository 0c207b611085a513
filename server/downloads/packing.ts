/** Packing slips and pick lists of bulk orders and of selected labels. */
import type { BatchCaller, BatchRecord } from '#server/batches/service.ts'
import { writePackingSlips, writePickList } from '#server/labels/packing-pdf.ts'
import type { PackingPaper, PackingSlip } from '#server/labels/packing-pdf.ts'
import { printedDate } from '#server/labels/wording.ts'
import { getOwnOrders } from '#server/orders/access.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { findOrdersInOrder } from '#server/orders/lists.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import { selectPackedRows } from '#server/orders/service.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { sortInTurns } from '#server/platform/process/sort-in-turns.ts'
import { countedTurns, yieldToOthers } from '#server/platform/process/turns.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { skuDescriptionsOf } from '#server/skus/service.ts'
import {
  compareKeys,
  firstKeyOf,
  itemCountOf,
  ITEMS_A_TURN,
  orderIdsOf,
  packingItems,
  PickListBuilder,
  skusOf,
} from './packing-rules.ts'
import type { PackedOrder } from './packing-rules.ts'

/** No slip is older than the time in which the client reads this many. */
const LABELS_A_PAGE = 200

export type PackingOptions = {
  paper: PackingPaper
  /** Throws when the client may not read on. */
  again: () => Promise<void>
}

/** `id`: of the label. */
type FirstItem = { id: number; key: string }
const compareFirstItems = (a: FirstItem, b: FirstItem): number => compareKeys(a, b) || a.id - b.id

/** The slips of a bulk order by SKU. Throws Refusal 404 before it writes, without labels. */
export async function writeBatchSlips(
  ctx: LabelContext,
  { id: batchId, total, userId }: BatchRecord,
  options: PackingOptions,
  sink: Sink,
): Promise<void> {
  const found: FirstItem[] = []
  const turn = countedTurns(ITEMS_A_TURN)
  for await (const page of packedPages(ctx, batchId))
    for (const row of page) {
      found.push({ id: row.id, key: firstKeyOf(row) })
      await turn(itemCountOf(row))
    }
  if (found.length === 0) throw nothingToPack()
  const ids = (await sortInTurns(found, compareFirstItems)).map(({ id }) => id)
  const read = (some: number[]): Promise<OrderRecord[]> => findOrdersInOrder(ctx.database.db, some)
  const slips = slipsOf(ctx, userId, pagesOfIds(ids, read, options.again), total)
  await writePackingSlips(slips, options.paper, sink)
}

export async function writeBatchPickList(
  ctx: LabelContext,
  { id: batchId, fileName, userId, createdAt }: BatchRecord,
  { paper, again }: PackingOptions,
  sink: Sink,
): Promise<void> {
  const list = new PickListBuilder()
  const turn = countedTurns(ITEMS_A_TURN)
  let labels = 0
  for await (const page of packedPages(ctx, batchId)) {
    const descriptions = await descriptionsFor(ctx, userId, page)
    for (const row of page) {
      list.add(row, row.id, descriptions)
      await turn(itemCountOf(row))
    }
    labels += page.length
    await again()
  }
  if (labels === 0) throw nothingToPack()
  // A long file name is cut, and its bulk order is known by the number.
  const title = `#${batchId}${fileName ? `, ${fileName}` : ''}`
  const note = `${printedDate(createdAt)}, ${labelCount(labels)}`
  await writePickList({ title, note, lines: await list.lines() }, paper, sink)
}

/** The selection by SKU. `orders` are those of `selectPacked`. */
export async function writeSelectedSlips(
  ctx: LabelContext,
  caller: BatchCaller,
  orders: readonly OrderRecord[],
  { paper }: PackingOptions,
  sink: Sink,
): Promise<void> {
  const found: (FirstItem & { order: OrderRecord })[] = []
  const turn = countedTurns(ITEMS_A_TURN)
  for (const order of orders) {
    const packed = packedOf(order)
    found.push({ id: order.id, key: firstKeyOf(packed), order })
    await turn(itemCountOf(packed))
  }
  const sorted = found.sort(compareFirstItems).map(({ order }) => order)
  async function* pages(): AsyncGenerator<OrderRecord[]> {
    yield sorted
  }
  await writePackingSlips(slipsOf(ctx, caller.userId, pages(), null), paper, sink)
}

/** `orders` are those of `selectPacked`. */
export async function writeSelectedPickList(
  ctx: LabelContext,
  caller: BatchCaller,
  orders: readonly OrderRecord[],
  { paper }: PackingOptions,
  sink: Sink,
): Promise<void> {
  const list = new PickListBuilder()
  const descriptions = await descriptionsFor(ctx, caller.userId, orders.map(packedOf))
  const turn = countedTurns(ITEMS_A_TURN)
  for (const order of orders) {
    const packed = packedOf(order)
    list.add(packed, order.id, descriptions)
    await turn(itemCountOf(packed))
  }
  const newest = Math.max(...orders.map(({ createdAt }) => createdAt.getTime()))
  const note = printedDate(new Date(newest))
  const title = labelCount(orders.length)
  await writePickList({ title, note, lines: await list.lines() }, paper, sink)
}

const MAX_REASONS = 3

/**
 * The caller's labels with these ids. Throws Refusal: 404 for any other id, 409 with
 * the labels that were not bought or are being voided.
 */
export async function selectPacked(
  ctx: LabelContext,
  caller: BatchCaller,
  ids: readonly number[],
): Promise<OrderRecord[]> {
  const orders = await getOwnOrders(ctx, caller, ids)
  const others = orders.filter(({ state }) => state !== 'purchased')
  if (others.length === 0) return orders
  const shown = others.slice(0, MAX_REASONS).map(({ id }) => `#${id}`)
  const more = others.length > MAX_REASONS ? ` and ${others.length - MAX_REASONS} more` : ''
  throw new Refusal(
    'labels_not_valid',
    `Some of these orders have no valid label: ${shown.join(', ')}${more}. Leave them out and try again.`,
  )
}

const nothingToPack = (): Refusal =>
  new Refusal('nothing_to_download', 'None of these rows has a label, so there is nothing to pack')

async function* packedPages(
  ctx: LabelContext,
  batchId: number,
): AsyncGenerator<Awaited<ReturnType<typeof selectPackedRows>>> {
  for (let after = 0; ;) {
    const page = await selectPackedRows(ctx.database.db, batchId, after, LABELS_A_PAGE)
    if (page.length > 0) yield page
    if (page.length < LABELS_A_PAGE) return
    after = page.at(-1)!.rowNo
    await yieldToOthers()
  }
}

async function* pagesOfIds(
  ids: readonly number[],
  read: (some: number[]) => Promise<OrderRecord[]>,
  again: () => Promise<void>,
): AsyncGenerator<OrderRecord[]> {
  for (let from = 0; from < ids.length; from += LABELS_A_PAGE) {
    if (from > 0) await again()
    yield read(ids.slice(from, from + LABELS_A_PAGE))
  }
}

/** `total`: rows of the bulk order, so that a slip has the number of its label. */
async function* slipsOf(
  ctx: LabelContext,
  userId: number,
  pages: AsyncIterable<OrderRecord[]>,
  total: number | null,
): AsyncGenerator<PackingSlip> {
  for await (const orders of pages) {
    const descriptions = await descriptionsFor(ctx, userId, orders.map(packedOf))
    for (const order of orders) {
      const packed = packedOf(order)
      const place =
        total !== null && order.rowNo !== null ? `, label ${order.rowNo} of ${total}` : ''
      yield {
        orderIds: orderIdsOf(packed, `#${order.id}`),
        note: `${printedDate(order.createdAt)}${place}`,
        from: order.sender,
        to: order.receiver,
        items: packingItems(packed, descriptions),
      }
    }
  }
}

/** Reading so many takes some 5 ms. */
const SKUS_A_QUERY = 5_000

async function descriptionsFor(
  ctx: LabelContext,
  userId: number,
  rows: readonly PackedOrder[],
): Promise<Map<string, string>> {
  const skus = new Set<string>()
  const turn = countedTurns(ITEMS_A_TURN)
  for (const row of rows) {
    for (const sku of skusOf(row)) if (sku !== '') skus.add(sku)
    await turn(itemCountOf(row))
  }
  const names = [...skus]
  const found = new Map<string, string>()
  for (let from = 0; from < names.length; from += SKUS_A_QUERY) {
    const some = names.slice(from, from + SKUS_A_QUERY)
    const read = await skuDescriptionsOf(ctx.database.db, userId, some)
    for (const [sku, description] of read) found.set(sku, description)
  }
  return found
}

const packedOf = ({ orderRef, items, package: parcel }: OrderRecord): PackedOrder => ({
  orderRef,
  items,
  sku: parcel.sku,
  quantity: parcel.quantity,
  description: parcel.description,
})

const labelCount = (labels: number): string => `${labels} ${labels === 1 ? 'label' : 'labels'}`
