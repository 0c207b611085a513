/** A user's orders in pages, newest first. */
import { COUNT_LIMIT } from '#contract/endpoint.ts'
import { ORDER_STATES } from '#contract/orders.ts'
import type { CustomerOrderFilter } from '#contract/orders.ts'
import { statusesInStage } from '#contract/tracking.ts'
import type { Db } from '#server/platform/database/database.ts'
import { selectMatching, selectPageOfUser, selectPageByWords } from './lists-store.ts'
import type { OrderIdPage, PageRange } from './lists-store.ts'
import { countMatches, selectPositions, planQueryWithin } from './query-store.ts'
import type { OrderQuery } from './query-store.ts'
import { orderStatusFor } from './rules.ts'
import { parseSearch } from './search.ts'
import type { SearchTerms } from './search.ts'
import { findOrders } from './store.ts'
import type { OrderRecord } from './store.ts'

/** `more`: there are more than `total`, which is as far as was counted. */
export type OrdersPage = { orders: OrderRecord[]; total: number; more: boolean }

/** A page of a user's orders; narrowed, those that fit (search.ts says how words are found), of which no more than 10,000 are counted. */
export async function getOrdersPage(
  db: Db,
  userId: number,
  page: PageRange,
  wish: CustomerOrderFilter = {},
): Promise<OrdersPage> {
  const { ids, total, more } = await findOrderIds(db, userId, page, wish)
  const found = new Map((await findOrders(db, ids)).map(order => [order.id, order]))
  return { orders: ids.map(id => found.get(id)).filter(order => order !== undefined), total, more }
}

async function findOrderIds(
  db: Db,
  userId: number,
  page: PageRange,
  { search, status, parcel }: CustomerOrderFilter,
): Promise<OrderIdPage> {
  const sought = parseSearch(search)
  const ids = sought && (await findMatchingIds(db, userId, search!, sought))
  if (status !== undefined || parcel !== undefined) {
    return queryOrderIds(
      db,
      {
        terms: sought,
        userId,
        states:
          status === undefined
            ? null
            : ORDER_STATES.filter(state => orderStatusFor(state) === status),
        parcels: parcel === undefined ? null : statusesInStage(parcel),
        batchId: null,
        from: null,
        to: null,
      },
      ids,
      page,
    )
  }
  if (!sought) return selectPageOfUser(db, userId, page)
  if (!ids)
    return {
      ids: await selectPageByWords(db, userId, sought.words, page),
      total: COUNT_LIMIT,
      more: true,
    }
  ids.sort((a, b) => b - a)
  return { ids: ids.slice(page.offset, page.offset + page.limit), total: ids.length, more: false }
}

/** What fits a search; null when it is more than is counted. */
async function findMatchingIds(
  db: Db,
  userId: number,
  search: string,
  sought: SearchTerms,
): Promise<number[] | null> {
  // '#81' is that label where there is one, as the statement asks for it; else perhaps a shop's own number.
  const one = search.trim().startsWith('#')
    ? await selectMatching(db, userId, { ...sought, words: [] }, COUNT_LIMIT)
    : null
  return one?.length ? one : selectMatching(db, userId, sought, COUNT_LIMIT)
}

async function queryOrderIds(
  db: Db,
  wanted: OrderQuery,
  ids: number[] | null,
  page: PageRange,
): Promise<OrderIdPage> {
  const way = await planQueryWithin(db, wanted, ids, COUNT_LIMIT)
  const [places, counted] = await Promise.all([
    selectPositions(db, way, page),
    countMatches(db, way, COUNT_LIMIT + 1),
  ])
  return {
    ids: places.map(({ id }) => id),
    total: Math.min(counted, COUNT_LIMIT),
    more: counted > COUNT_LIMIT,
  }
}
