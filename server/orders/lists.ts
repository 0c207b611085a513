/** A user's orders in pages, newest first. */
import { MOST_COUNTED } from '#contract/call.ts'
import { ORDER_STATES } from '#contract/orders.ts'
import type { OrdersWish } from '#contract/orders.ts'
import { statusesAt } from '#contract/tracking.ts'
import type { Db } from '#server/platform/database.ts'
import { selectFitting, selectPage, walkByWords } from './lists-store.ts'
import type { Listed, Page } from './lists-store.ts'
import { outward } from './rules.ts'
import { soughtIn } from './search.ts'
import type { Sought } from './search.ts'
import { findOrders } from './store.ts'
import type { OrderRecord } from './store.ts'
import { countPlaces, selectPlaces, wayTo } from './walk-store.ts'
import type { Wanted } from './walk-store.ts'

/** `more`: there are more than `total`, which is as far as was counted. */
export type OrdersPage = { orders: OrderRecord[]; total: number; more: boolean }

/** A page of a user's orders; narrowed, those that fit (search.ts says how words are found), of which no more than 10,000 are counted. */
export async function ordersOf(
  db: Db,
  userId: number,
  page: Page,
  wish: OrdersWish = {},
): Promise<OrdersPage> {
  const { ids, total, more } = await listed(db, userId, page, wish)
  const found = new Map((await findOrders(db, ids)).map(order => [order.id, order]))
  return { orders: ids.map(id => found.get(id)).filter(order => order !== undefined), total, more }
}

async function listed(
  db: Db,
  userId: number,
  page: Page,
  { search, status, parcel }: OrdersWish,
): Promise<Listed> {
  const sought = soughtIn(search)
  const ids = sought && (await fitting(db, userId, search!, sought))
  if (status !== undefined || parcel !== undefined) {
    return walked(
      db,
      {
        sought,
        userId,
        states:
          status === undefined ? null : ORDER_STATES.filter(state => outward(state) === status),
        parcels: parcel === undefined ? null : statusesAt(parcel),
        batchId: null,
        from: null,
        to: null,
      },
      ids,
      page,
    )
  }
  if (!sought) return selectPage(db, userId, page)
  if (!ids)
    return {
      ids: await walkByWords(db, userId, sought.words, page),
      total: MOST_COUNTED,
      more: true,
    }
  ids.sort((a, b) => b - a)
  return { ids: ids.slice(page.offset, page.offset + page.limit), total: ids.length, more: false }
}

/** What fits a search; null when it is more than is counted. */
async function fitting(
  db: Db,
  userId: number,
  search: string,
  sought: Sought,
): Promise<number[] | null> {
  // '#81' is that label where there is one, as the statement asks for it; else perhaps a shop's own number.
  const one = search.trim().startsWith('#')
    ? await selectFitting(db, userId, { ...sought, words: [] }, MOST_COUNTED)
    : null
  return one?.length ? one : selectFitting(db, userId, sought, MOST_COUNTED)
}

async function walked(db: Db, wanted: Wanted, ids: number[] | null, page: Page): Promise<Listed> {
  const way = await wayTo(db, wanted, ids, MOST_COUNTED)
  const [places, counted] = await Promise.all([
    selectPlaces(db, way, page),
    countPlaces(db, way, MOST_COUNTED + 1),
  ])
  return {
    ids: places.map(({ id }) => id),
    total: Math.min(counted, MOST_COUNTED),
    more: counted > MOST_COUNTED,
  }
}
