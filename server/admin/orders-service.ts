import { COUNT_LIMIT } from '#contract/endpoint.ts'
import { MAX_SUMMED_LABELS } from '#contract/orders-admin.ts'
import type { AdminOrderFilter } from '#contract/orders-admin.ts'
import { orderNotFound } from '#server/orders/access.ts'
import type { LabelContext } from '#server/orders/context.ts'
import {
  planQuery,
  selectCountedPage,
  selectIds,
  selectLabelTransfers,
  selectLaterCharges,
  selectParcelEvents,
} from '#server/orders/service.ts'
import type { QueryPlan } from '#server/orders/service.ts'
import type { Db } from '#server/platform/database/database.ts'
import { lookUpForAdmin } from '#server/purchasing/look-up.ts'
import { earningsOf } from './label-earnings.ts'
import type { LabelEarnings } from './label-earnings.ts'
import { selectManualResolutions } from './manual-resolution-store.ts'
import { hasFilter, toOrderQuery } from './order-filter.ts'
import {
  selectBatchAndVoidFacts,
  selectCarrierCalls,
  selectCorrections,
  selectLosses,
} from './order-timeline-store.ts'
import { buildTimeline } from './order-timeline.ts'
import type { TimelineEvent } from './order-timeline.ts'
import {
  countAllOrders,
  selectOrdersWithUsers,
  selectPageOfAllOrders,
  sumOrders,
} from './orders-store.ts'
import type { LabelSums, OrderWithUser } from './orders-store.ts'

export { selectOrdersWithUsers as findOrdersWithUsers } from './orders-store.ts'

/** Newest first. `more`: there are more than `total`. */
export type OrderIds = { ids: number[]; total: number; more: boolean }

/** Null without a filter, and of more than MAX_SUMMED_LABELS: only few rows are read. */
export async function sumFoundOrders(
  db: Db,
  filter: AdminOrderFilter,
  { total, more }: Pick<OrderIds, 'total' | 'more'>,
): Promise<LabelSums | null> {
  const query = toOrderQuery(filter)
  if (!hasFilter(query) || more || total > MAX_SUMMED_LABELS) return null
  const plan = await planQuery(db, query, COUNT_LIMIT)
  return sumOrders(db, await selectIds(db, plan, { limit: MAX_SUMMED_LABELS }))
}

/** With a filter at most 10,000 are counted. */
export async function findIdsOfPage(
  db: Db,
  filter: AdminOrderFilter,
  page: number,
  limit: number,
): Promise<OrderIds> {
  const query = toOrderQuery(filter)
  const offset = (page - 1) * limit
  if (!hasFilter(query)) {
    const total = await countAllOrders(db)
    return { ids: await selectPageOfAllOrders(db, total, offset, limit), total, more: false }
  }
  const plan = await planQuery(db, query, COUNT_LIMIT)
  return selectCountedPage(db, plan, { offset, limit })
}

const EXPORT_CHUNK_ROWS = 500

/**
 * The same orders for a file, newest first, read in chunks as the client downloads: a million orders are 200 MB, and a slow
 * download must not occupy a database connection. The first chunk is read before anything is sent, so that an invalid query is
 * refused.
 */
export async function exportOrders(
  db: Db,
  filter: AdminOrderFilter,
  recheckAccess: () => Promise<void>,
): Promise<AsyncGenerator<OrderWithUser[]>> {
  const plan = await planQuery(db, toOrderQuery(filter), COUNT_LIMIT)
  return exportChunks(
    db,
    plan,
    await selectIds(db, plan, { limit: EXPORT_CHUNK_ROWS }),
    recheckAccess,
  )
}

async function* exportChunks(
  db: Db,
  plan: QueryPlan,
  newest: number[],
  recheckAccess: () => Promise<void>,
): AsyncGenerator<OrderWithUser[]> {
  for (let ids = newest; ;) {
    if (ids.length > 0) yield await selectOrdersWithUsers(db, ids)
    if (ids.length < EXPORT_CHUNK_ROWS) return
    await recheckAccess()
    ids = await selectIds(db, plan, {
      limit: EXPORT_CHUNK_ROWS,
      before: ids.at(-1)!,
    })
  }
}

export type OrderWithTimeline = OrderWithUser & {
  timeline: TimelineEvent[]
  earnings: LabelEarnings
}

/** Throws Refusal 404. */
export async function getOrderWithTimeline(db: Db, orderId: number): Promise<OrderWithTimeline> {
  const [found] = await selectOrdersWithUsers(db, [orderId])
  if (!found) throw orderNotFound()
  const [facts, calls, manualResolutions] = await Promise.all([
    selectBatchAndVoidFacts(db, orderId),
    selectCarrierCalls(db, orderId),
    selectManualResolutions(db, found.order),
  ])
  const later = await selectLaterCharges(db, found.order)
  const corrections = await selectCorrections(db, orderId)
  const timeline = buildTimeline({
    order: found.order,
    buyer: found.user,
    unknownSince: facts.unknownSince,
    calls,
    files: facts.files,
    replacedAt: facts.replacedAt,
    prices: facts.prices,
    transfers: await selectLabelTransfers(db, found.order, facts.submissions),
    parcel: await selectParcelEvents(db, found.order.id),
    voidRequest: facts.voidRequestedAt && {
      at: facts.voidRequestedAt,
      by: facts.voidRequestedBy,
      isAutomatic: facts.isAutomatic,
    },
    manualResolutions,
    later,
    corrections,
    losses: await selectLosses(db, orderId),
  })
  return { ...found, timeline, earnings: earningsOf({ ...found, corrections, later }) }
}

/** Looks up a label or its void at the carrier now. Throws Refusal 404, 409. */
export async function checkOrderNow(
  ctx: LabelContext,
  actorId: number,
  orderId: number,
): Promise<OrderWithTimeline> {
  await lookUpForAdmin(ctx, actorId, orderId)
  return getOrderWithTimeline(ctx.database.db, orderId)
}
