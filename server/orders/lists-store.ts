/**
 * Uses the list entry of each order: the cost of a query depends on the page and not on the number
 * of orders (docs/decisions/0021-list-entries-beside-orders.md).
 */
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { reverseText, tsQueryFor, prefixRange } from './search.ts'
import type { SearchTerms } from './search.ts'

/** Newest first. `more`: there are more than `total`. */
export type OrderIdPage = { ids: number[]; total: number; more: boolean }

export type PageRange = { offset: number; limit: number }

export async function countOrders(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('user_order_count')
    .select('orders')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.orders ?? 0
}

export async function selectPageOfUser(
  db: Db,
  userId: number,
  { offset, limit }: PageRange,
): Promise<OrderIdPage> {
  const { rows } = await sql<{ total: number; id: number | null }>`
    with tally as (select coalesce((select orders from user_order_count where user_id = ${userId}), 0) as orders)
    select tally.orders as total, e.order_id as id
      from tally left join order_list_entry e
        on e.user_id = ${userId} and e.position <= tally.orders - ${offset}::bigint
          and e.position > tally.orders - ${offset}::bigint - ${limit}::bigint
      order by e.position desc`.execute(db)
  return {
    ids: rows.map(row => row.id).filter(id => id !== null),
    total: rows[0]!.total,
    more: false,
  }
}

/** Newest first. */
export async function selectNamedIds(db: Db, userId: number, ids: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from shipment_order where id = any(${ids}::bigint[]) and user_id = ${userId} order by id desc`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Of a user's newest orders, those in which words are counted before they are looked for. */
const SAMPLED_ORDERS = 1_000
/** Words of so many of them are frequent, or rare. */
const FREQUENT_SHARE = 0.02
const RARE_SHARE = 0.005
/** The newest orders in which the matches of frequent words are counted. */
const COUNTED_ORDERS = 50_000

const newestEntries = (userId: number, limit: number) =>
  sql`(select search_words from order_list_entry where user_id = ${userId} order by position desc limit ${limit})`

/** How many of the newest orders match each of `queries`. */
async function sampleMatches(db: Db, userId: number, queries: string[]): Promise<number[]> {
  const { rows } = await sql<{ matches: number }>`
    with newest as materialized ${newestEntries(userId, SAMPLED_ORDERS)}
    select (select count(*) from newest where (search_words @@ query::tsquery)::int <> 0) as matches
      from unnest(${queries}::text[]) with ordinality q (query, place) order by place`.execute(db)
  return rows.map(({ matches }) => matches)
}

async function countAmongNewest(
  db: Db,
  userId: number,
  query: string,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ matches: number }>`
    select count(*) as matches from (
      select 1 from ${newestEntries(userId, COUNTED_ORDERS)} e
        where (e.search_words @@ ${query}::tsquery)::int <> 0 limit ${most}) found`.execute(db)
  return rows[0]!.matches
}

/** `ids`: in no order; null for too many, of which `counted` were counted. */
export type Matches = { ids: number[] | null; counted: number }

/**
 * By id, end of the tracking number, and words. Too many are more than `most`, also as far as the newest orders tell: the index of words
 * reads all matches before the first one, which may be millions.
 */
export async function selectMatching(
  db: Db,
  userId: number,
  terms: SearchTerms,
  most: number,
): Promise<Matches> {
  const query = tsQueryFor(userId, terms.words)
  const orders = query === null ? 0 : await countOrders(db, userId)
  if (query === null || orders <= most)
    return selectWithin(db, userId, terms, { query, exact: null }, most)
  const { words } = terms
  const [ofAll, ...ofWords] = await sampleMatches(db, userId, [
    query,
    ...words.map(word => tsQueryFor(userId, [word])!),
  ])
  if (isFrequent(ofAll!)) {
    const counted = await countAmongNewest(db, userId, query, most + 1)
    if (counted * Math.max(1, orders / COUNTED_ORDERS) > most)
      return { ids: null, counted: Math.min(counted, most) }
  }
  const rare = words.filter((_, place) => ofWords[place]! <= SAMPLED_ORDERS * RARE_SHARE)
  const found =
    rare.length > 0 && ofWords.some(isFrequent)
      ? { query: tsQueryFor(userId, rare), exact: query }
      : { query, exact: null }
  return selectWithin(db, userId, terms, found, most)
}

const isFrequent = (sampled: number): boolean => sampled >= SAMPLED_ORDERS * FREQUENT_SHARE

/** `query` finds in the index of words; of its matches those count that `exact` has too, if given. */
type WordQuery = { query: string | null; exact: string | null }

async function selectWithin(
  db: Db,
  userId: number,
  { id, tracking }: SearchTerms,
  { query, exact }: WordQuery,
  most: number,
): Promise<Matches> {
  const [from, before] = tracking === null ? [null, null] : prefixRange(reverseText(tracking))
  // `+ 0` keeps the planner from reading all orders of the user: few orders of all users have this number.
  const { rows } = await sql<{ ids: number[] | null }>`
    with matching as materialized (select order_id as id from find_orders_by_words(${query}::tsquery, ${exact}::tsquery, ${most + 1}))
    select case when (select count(*) from matching) <= ${most} then array(
      select id from shipment_order where id = ${id} and user_id = ${userId}
      union
      select id from shipment_order
        where user_id + 0 = ${userId} and reverse(tracking_number) ~>=~ ${from} and reverse(tracking_number) ~<~ ${before}
      union
      select id from matching) end as ids`.execute(db)
  const { ids } = rows[0]!
  return { ids, counted: ids?.length ?? most }
}

/** For words that many orders have: scans the user's entries from the newest one. */
export async function selectPageByWords(
  db: Db,
  userId: number,
  words: readonly string[],
  { offset, limit }: PageRange,
): Promise<number[]> {
  // `is true` keeps the planner from collecting and sorting all matches.
  const { rows } = await sql<{ id: number }>`
    select order_id as id from order_list_entry
      where user_id = ${userId} and (search_words @@ ${tsQueryFor(userId, words)}::tsquery) is true
      order by position desc offset ${offset} limit ${limit}`.execute(db)
  return rows.map(row => row.id)
}

/**
 * How many orders were placed from each of `starts`, ascending, until the next one; of the last one until now.
 * Entries are numbered in the order of time, so a binary search finds the first entry of each day.
 */
export async function countOrdersSince(
  db: Db,
  userId: number,
  starts: readonly Date[],
): Promise<number[]> {
  const { rows } = await sql<{ orders: number }>`
    with recursive placed as (select coalesce((select orders from user_order_count where user_id = ${userId}), 0) as count),
    halving as (
      select at, 1 as low, count + 1 as high from placed, unnest(${starts}::timestamptz[]) as start (at)
      union all
      select at, case when there.earlier then half.n + 1 else low end, case when there.earlier then high else half.n end
        from halving
        cross join lateral (select (low + high) / 2 as n) half
        cross join lateral (
          select e.placed_at < at as earlier from order_list_entry e where e.user_id = ${userId} and e.position = half.n limit 1) there
        where low < high),
    first as (select at, low as n from halving where low = high)
    select (lead(n, 1, count + 1) over (order by at) - n)::bigint as orders from first, placed order by at`.execute(
    db,
  )
  return rows.map(({ orders }) => orders)
}
