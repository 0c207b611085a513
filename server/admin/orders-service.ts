/** Every label for the operator: found, exported, and told from its beginning. */
import type { OrderFilter } from '#contract/admin.ts'
import { MOST_COUNTED } from '#contract/call.ts'
import { lookUpNow } from '#server/orders/look-up.ts'
import type { WithOrders } from '#server/orders/settle.ts'
import { countPlaces, findWay, selectPlaces } from '#server/orders/walk-store.ts'
import type { Place, Way } from '#server/orders/walk-store.ts'
import type { Db } from '#server/platform/database.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { selectHands } from './hand-store.ts'
import { isNarrowed, wantedBy } from './order-filter.ts'
import { orderLines, ordersHead } from './orders-csv.ts'
import { countAllOrders, selectFound, selectPageOfAll } from './orders-store.ts'
import type { FoundOrder } from './orders-store.ts'
import { selectCalls, selectMoves, selectSurroundings } from './story-store.ts'
import { timelineOf } from './story.ts'
import type { StoryStep } from './story.ts'

/** `more`: there are more than were counted. */
export type OrdersPage = { found: FoundOrder[]; total: number; more: boolean }

/** A page of the labels of all users, newest first; with any filter at most 10,000 are counted. */
export async function ordersPage(
  db: Db,
  filter: OrderFilter,
  page: number,
  limit: number,
): Promise<OrdersPage> {
  const wanted = wantedBy(filter)
  const offset = (page - 1) * limit
  if (!isNarrowed(wanted)) {
    const total = await countAllOrders(db)
    return {
      found: await selectFound(db, await selectPageOfAll(db, total, offset, limit)),
      total,
      more: false,
    }
  }
  const way = await findWay(db, wanted, MOST_COUNTED)
  const [places, counted] = await Promise.all([
    selectPlaces(db, way, { offset, limit }),
    countPlaces(db, way, MOST_COUNTED + 1),
  ])
  const found = await selectFound(
    db,
    places.map(place => place.id),
  )
  return { found, total: Math.min(counted, MOST_COUNTED), more: counted > MOST_COUNTED }
}

/** Labels that are read and written at a time. */
const AT_ONCE = 2_000

/**
 * The same labels as parts of a CSV file, newest first. Read piece by piece from the last label on, while the reader takes them: a
 * million labels are 200 MB, and a slow line must keep no connection. The first of them are looked for before anything is sent: a
 * question that cannot be asked is refused, and no file breaks off behind its head. Before each further part `again` throws if the
 * reader may read no more: then it does break off, so that nobody takes it for whole.
 */
export async function ordersFile(
  db: Db,
  filter: OrderFilter,
  again: () => Promise<void>,
): Promise<AsyncGenerator<string>> {
  const way = await findWay(db, wantedBy(filter), MOST_COUNTED)
  return partsOf(db, way, await selectPlaces(db, way, { limit: AT_ONCE }), again)
}

async function* partsOf(
  db: Db,
  way: Way,
  newest: Place[],
  again: () => Promise<void>,
): AsyncGenerator<string> {
  yield ordersHead()
  for (let places = newest; ;) {
    if (places.length > 0)
      yield orderLines(
        await selectFound(
          db,
          places.map(place => place.id),
        ),
      )
    if (places.length < AT_ONCE) return
    await again()
    places = await selectPlaces(db, way, { limit: AT_ONCE, before: places.at(-1)!.key })
  }
}

export type Story = FoundOrder & { timeline: StoryStep[] }

/** A label and all that happened to it, oldest first. Throws Refusal 'not_found'. */
export async function storyOf(db: Db, orderId: number): Promise<Story> {
  const [found] = await selectFound(db, [orderId])
  if (!found) throw new Refusal('not_found', 'There is no such label')
  const [around, calls, hands] = await Promise.all([
    selectSurroundings(db, orderId),
    selectCalls(db, orderId),
    selectHands(db, found.order),
  ])
  const timeline = timelineOf({
    order: found.order,
    buyer: found.user,
    unknownSince: around.unknownSince,
    calls,
    files: around.files,
    replacedAt: around.replacedAt,
    moves: await selectMoves(db, found.order, around.submissions),
    asked: around.askedAt && {
      at: around.askedAt,
      by: around.askedBy,
      isAutomatic: around.isAutomatic,
    },
    hands,
  })
  return { ...found, timeline }
}

/** Asks the carrier now what became of a label or of its void, and tells its story then. Throws Refusal 'not_found', 'conflict'. */
export async function checkNow(
  house: WithOrders,
  actorId: number,
  orderId: number,
): Promise<Story> {
  await lookUpNow(house, actorId, orderId)
  return storyOf(house.database.db, orderId)
}
