import { COUNT_LIMIT } from '#contract/endpoint.ts'
import { ORDER_STATES } from '#contract/orders.ts'
import type { CustomerOrderFilter } from '#contract/orders.ts'
import { statusesInStage } from '#contract/tracking.ts'
import { TREND_DAYS } from '#contract/trend.ts'
import { readClock } from '#server/platform/database/clock.ts'
import type { Db } from '#server/platform/database/database.ts'
import { cutPage } from '#server/platform/http/list-range.ts'
import type { ListRange } from '#server/platform/http/list-range.ts'
import { daysOfReader } from '#server/platform/local-days.ts'
import type { Reader } from '#server/platform/local-days.ts'
import { selectKeyNames } from './details-store.ts'
import {
  countOrders,
  countOrdersSince,
  selectMatching,
  selectNamedIds,
  selectPageByWords,
  selectPageOfUser,
} from './lists-store.ts'
import type { Matches, OrderIdPage, PageRange } from './lists-store.ts'
import type { FileOrder } from './orders-file.ts'
import {
  countMatches,
  planQueryWithin,
  selectCountedPage,
  selectIds,
  totalBeside,
} from './query-store.ts'
import type { OrderQuery } from './query-store.ts'
import { orderStatusFor } from './rules.ts'
import type { OrderRecord } from './rules.ts'
import { parseSearch } from './search.ts'
import type { SearchTerms } from './search.ts'
import { findOrders } from './store.ts'

/** In the order of `ids`, without orders that do not exist. */
export async function findOrdersInOrder(db: Db, ids: number[]): Promise<OrderRecord[]> {
  const found = new Map((await findOrders(db, ids)).map(order => [order.id, order]))
  return ids.map(id => found.get(id)).filter(order => order !== undefined)
}

/**
 * Newest first. With a filter at most 10,000 orders are counted, fewer beside frequent words; `more`: there are more than
 * `total`, where counting stopped.
 */
export async function findOrderIds(
  db: Db,
  userId: number,
  page: PageRange,
  filter: CustomerOrderFilter = {},
): Promise<OrderIdPage> {
  const query = toCustomerQuery(userId, filter)
  const { terms } = query
  const matches = terms && (await findMatches(db, userId, filter.search!, terms))
  if (isNarrowed(query))
    return selectCountedPage(db, await planQueryWithin(db, query, matches), page)
  if (!matches) return selectPageOfUser(db, userId, page)
  if (!matches.ids) {
    const found = await selectPageByWords(db, userId, terms!.words, page)
    return { ids: found, total: totalBeside(found, page, matches.counted), more: true }
  }
  const ids = matches.ids.sort((a, b) => b - a)
  return { ids: ids.slice(page.offset, page.offset + page.limit), total: ids.length, more: false }
}

/** Of the reader's last 14 days, oldest first. `day`: '2026-11-20'. */
export async function countOrdersByDay(
  db: Db,
  userId: number,
  reader: Reader,
): Promise<{ day: string; orders: number }[]> {
  const days = daysOfReader((await readClock(db)).getTime(), TREND_DAYS, reader)
  const counts = await countOrdersSince(
    db,
    userId,
    days.map(({ at }) => new Date(at)),
  )
  return days.map(({ date }, place) => ({ day: date, orders: counts[place]! }))
}

/** Those of `named` that are orders of the user, newest first. */
export async function findNamedOrderIds(
  db: Db,
  userId: number,
  named: number[],
  { offset, limit }: PageRange,
): Promise<OrderIdPage> {
  const ids = await selectNamedIds(db, userId, named)
  return { ids: ids.slice(offset, offset + limit), total: ids.length, more: false }
}

/**
 * As `findOrderIds`, of the orders before `after`. `next`: the last one of the page, null at the end
 * of the list.
 */
export async function findOrderIdsAfter(
  db: Db,
  userId: number,
  { after, offset, limit }: ListRange,
  filter: CustomerOrderFilter = {},
): Promise<OrderIdPage & { next: number | null }> {
  const query = toCustomerQuery(userId, filter)
  const matches = query.terms && (await findMatches(db, userId, filter.search!, query.terms))
  const plan = await planQueryWithin(db, query, matches)
  const isFiltered = query.terms !== null || isNarrowed(query)
  const before = after === null ? {} : { before: after }
  const [found, counted] = await Promise.all([
    selectIds(db, plan, { ...before, offset, limit: limit + 1 }),
    isFiltered
      ? countMatches(db, plan)
      : countOrders(db, userId).then(total => ({ total, more: false })),
  ])
  const { page, next } = cutPage(found, limit, id => id)
  return { ids: page, ...counted, next }
}

function toCustomerQuery(userId: number, filter: CustomerOrderFilter): OrderQuery {
  const { search, status, parcel, service = null, batchId, from, to } = filter
  return {
    terms: parseSearch(search),
    userId,
    states:
      status === undefined ? null : ORDER_STATES.filter(state => orderStatusFor(state) === status),
    parcels: parcel === undefined ? null : statusesInStage(parcel),
    batchId: batchId === undefined ? null : Number(batchId),
    service,
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(to),
  }
}

/** By more than a search, which the list entries answer alone. */
const isNarrowed = ({ states, parcels, batchId, service, from, to }: OrderQuery): boolean =>
  [states, parcels, batchId, service, from, to].some(part => part !== null)

async function findMatches(
  db: Db,
  userId: number,
  search: string,
  terms: SearchTerms,
): Promise<Matches> {
  // '#81' is an order id, as the statement shows it, or else the user's own reference.
  const one = search.trim().startsWith('#')
    ? await selectMatching(db, userId, { ...terms, words: [] }, COUNT_LIMIT)
    : null
  return one?.ids?.length ? one : selectMatching(db, userId, terms, COUNT_LIMIT)
}

async function findFileOrders(db: Db, ids: number[]): Promise<FileOrder[]> {
  const orders = await findOrdersInOrder(db, ids)
  const keyNames = await selectKeyNames(db, ids)
  return orders.map(order => ({ ...order, apiKey: keyNames.get(order.id) ?? null }))
}

/** Of one chunk of a file. */
const EXPORT_CHUNK_ROWS = 500

/**
 * The orders of the same filter for a file, newest first, read in chunks as the client downloads, so
 * that a slow download occupies no database connection. Before each further chunk `recheckAccess`
 * throws if the caller has lost access; the download then breaks off visibly.
 */
export async function* exportOrdersOf(
  db: Db,
  userId: number,
  filter: CustomerOrderFilter,
  recheckAccess: () => Promise<void>,
): AsyncGenerator<FileOrder[]> {
  const query = toCustomerQuery(userId, filter)
  const matches = query.terms && (await findMatches(db, userId, filter.search!, query.terms))
  const plan = await planQueryWithin(db, query, matches)
  let chunk = await selectIds(db, plan, { limit: EXPORT_CHUNK_ROWS })
  for (;;) {
    if (chunk.length > 0) yield await findFileOrders(db, chunk)
    if (chunk.length < EXPORT_CHUNK_ROWS) return
    await recheckAccess()
    const before = chunk.at(-1)!
    chunk = await selectIds(db, plan, { limit: EXPORT_CHUNK_ROWS, before })
  }
}
