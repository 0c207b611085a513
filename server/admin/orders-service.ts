/** Every label for the operator: found, exported, and told from its beginning. */
import type { AdminOrderFilter } from '#contract/orders-admin.ts'
import { COUNT_LIMIT } from '#contract/endpoint.ts'
import { countMatches, planQuery, selectPositions } from '#server/orders/service.ts'
import type { OrderPosition, QueryPlan } from '#server/orders/service.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { lookUpForAdmin } from '#server/purchasing/look-up.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { selectManualResolutions } from './manual-resolution-store.ts'
import { hasFilter, toOrderQuery } from './order-filter.ts'
import {
  selectCarrierCalls,
  selectLabelTransfers,
  selectRelatedFacts,
} from './order-timeline-store.ts'
import { buildTimeline } from './order-timeline.ts'
import type { TimelineEvent } from './order-timeline.ts'
import { orderLines, ordersHead } from './orders-csv.ts'
import { countAllOrders, selectOrdersWithUsers, selectPageOfAllOrders } from './orders-store.ts'
import type { OrderWithUser } from './orders-store.ts'

/** `more`: there are more than were counted. */
export type OrdersPage = { orders: OrderWithUser[]; total: number; more: boolean }

/** A page of the labels of all users, newest first; with any filter at most 10,000 are counted. */
export async function ordersPage(
  db: Db,
  filter: AdminOrderFilter,
  page: number,
  limit: number,
): Promise<OrdersPage> {
  const wanted = toOrderQuery(filter)
  const offset = (page - 1) * limit
  if (!hasFilter(wanted)) {
    const total = await countAllOrders(db)
    return {
      orders: await selectOrdersWithUsers(
        db,
        await selectPageOfAllOrders(db, total, offset, limit),
      ),
      total,
      more: false,
    }
  }
  const way = await planQuery(db, wanted, COUNT_LIMIT)
  const [places, counted] = await Promise.all([
    selectPositions(db, way, { offset, limit }),
    countMatches(db, way, COUNT_LIMIT + 1),
  ])
  const found = await selectOrdersWithUsers(
    db,
    places.map(place => place.id),
  )
  return { orders: found, total: Math.min(counted, COUNT_LIMIT), more: counted > COUNT_LIMIT }
}

/** Labels that are read and written at a time. */
const EXPORT_CHUNK_ROWS = 2_000

/**
 * The same labels as parts of a CSV file, newest first. Read piece by piece from the last label on, while the reader takes them: a
 * million labels are 200 MB, and a slow line must keep no connection. The first of them are looked for before anything is sent: a
 * question that cannot be asked is refused, and no file breaks off behind its head. Before each further part `again` throws if the
 * reader may read no more: then it does break off, so that nobody takes it for whole.
 */
export async function exportOrders(
  db: Db,
  filter: AdminOrderFilter,
  again: () => Promise<void>,
): Promise<AsyncGenerator<string>> {
  const way = await planQuery(db, toOrderQuery(filter), COUNT_LIMIT)
  return csvParts(db, way, await selectPositions(db, way, { limit: EXPORT_CHUNK_ROWS }), again)
}

async function* csvParts(
  db: Db,
  way: QueryPlan,
  newest: OrderPosition[],
  again: () => Promise<void>,
): AsyncGenerator<string> {
  yield ordersHead()
  for (let places = newest; ;) {
    if (places.length > 0)
      yield orderLines(
        await selectOrdersWithUsers(
          db,
          places.map(place => place.id),
        ),
      )
    if (places.length < EXPORT_CHUNK_ROWS) return
    await again()
    places = await selectPositions(db, way, {
      limit: EXPORT_CHUNK_ROWS,
      before: places.at(-1)!.key,
    })
  }
}

export type OrderWithTimeline = OrderWithUser & { timeline: TimelineEvent[] }

/** A label and all that happened to it, oldest first. Throws Refusal 'not_found'. */
export async function getOrderWithTimeline(db: Db, orderId: number): Promise<OrderWithTimeline> {
  const [found] = await selectOrdersWithUsers(db, [orderId])
  if (!found) throw new Refusal('not_found', 'There is no such label')
  const [around, calls, hands] = await Promise.all([
    selectRelatedFacts(db, orderId),
    selectCarrierCalls(db, orderId),
    selectManualResolutions(db, found.order),
  ])
  const timeline = buildTimeline({
    order: found.order,
    buyer: found.user,
    unknownSince: around.unknownSince,
    calls,
    files: around.files,
    replacedAt: around.replacedAt,
    transfers: await selectLabelTransfers(db, found.order, around.submissions),
    voidRequest: around.voidRequestedAt && {
      at: around.voidRequestedAt,
      by: around.voidRequestedBy,
      isAutomatic: around.isAutomatic,
    },
    manualResolutions: hands,
  })
  return { ...found, timeline }
}

/** Asks the carrier now what became of a label or of its void, and tells its story then. Throws Refusal 'not_found', 'conflict'. */
export async function checkOrderNow(
  ctx: LabelContext,
  actorId: number,
  orderId: number,
): Promise<OrderWithTimeline> {
  await lookUpForAdmin(ctx, actorId, orderId)
  return getOrderWithTimeline(ctx.database.db, orderId)
}
