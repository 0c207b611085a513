/** A user's orders in pages, newest first. */
import { MOST_COUNTED } from '#contract/call.ts'
import type { Db } from '#server/platform/database.ts'
import { selectFitting, selectPage, walkByWords } from './lists-store.ts'
import type { Listed, Page } from './lists-store.ts'
import { soughtIn } from './search.ts'
import { findOrders } from './store.ts'
import type { OrderRecord } from './store.ts'

/** `more`: there are more than `total`, which is as far as was counted. */
export type OrdersPage = { orders: OrderRecord[], total: number, more: boolean }

/** A page of a user's orders; with a search those that fit it (search.ts), of which no more than 10,000 are counted. */
export async function ordersOf(db: Db, userId: number, page: Page, search?: string): Promise<OrdersPage> {
  const { ids, total, more } = await listed(db, userId, page, search)
  const found = new Map((await findOrders(db, ids)).map(order => [order.id, order]))
  return { orders: ids.map(id => found.get(id)).filter(order => order !== undefined), total, more }
}

async function listed(db: Db, userId: number, page: Page, search?: string): Promise<Listed> {
  const sought = soughtIn(search)
  if (!sought) return selectPage(db, userId, page)
  // '#81' is that label where there is one, as the statement asks for it; else perhaps a shop's own number.
  const one = search?.trim().startsWith('#') ? await selectFitting(db, userId, { ...sought, words: [] }, MOST_COUNTED) : null
  const ids = one?.length ? one : await selectFitting(db, userId, sought, MOST_COUNTED)
  if (!ids) return { ids: await walkByWords(db, userId, sought.words, page), total: MOST_COUNTED, more: true }
  ids.sort((a, b) => b - a)
  return { ids: ids.slice(page.offset, page.offset + page.limit), total: ids.length, more: false }
}
