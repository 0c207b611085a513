/**
 * Labels by what they are narrowed to, of one user or of all. Each way in is walked from the newest label back and no further than is
 * asked for, so that of a million labels a page takes milliseconds (docs/decisions/0021).
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { Db } from '#server/platform/database/database.ts'
import { idRangeFor } from '#server/platform/database/id-range.ts'
import type { IdRange } from '#server/platform/database/id-range.ts'
import { CUSTOM_PLAN } from '#server/platform/database/prepared-statements.ts'
import { selectMatching } from './lists-store.ts'
import type { OrderState } from './rules.ts'
import { reverseText, tsQueryFor, prefixRange } from './search.ts'
import type { SearchTerms } from './search.ts'

/**
 * Null for a part that nobody asked for. `states` and `parcels`: any of these; none at all where what is asked for excludes each other.
 * With `parcels` only labels that were bought.
 */
export type OrderQuery = {
  terms: SearchTerms | null
  states: OrderState[] | null
  parcels: TrackingStatus[] | null
  userId: number | null
  batchId: number | null
  from: Date | null
  to: Date | null
}

/**
 * How wanted labels are come by. `ids`: those that a search has found; null where there was none, or where it fits so many that all
 * labels are looked at instead: `crowded`. `low` and `high`: the numbers between which the wanted time lies. `byEntries`: one user's labels
 * with frequent words, through his entries, which have the words.
 */
export type QueryPlan = IdRange & {
  query: OrderQuery
  ids: number[] | null
  tooMany: boolean
  usesEntries: boolean
}

/** A search fits `most` labels or is crowded. */
export async function planQuery(db: Db, wanted: OrderQuery, most: number): Promise<QueryPlan> {
  const { terms, userId } = wanted
  const ids =
    terms
    && (await (userId === null
      ? selectMatchingOfAllUsers(db, terms, most)
      : selectMatching(db, userId, terms, most)))
  return planQueryWithin(db, wanted, ids, most)
}

/** The way to what is wanted, when the search was made: `ids` as there. */
export async function planQueryWithin(
  db: Db,
  wanted: OrderQuery,
  ids: number[] | null,
  most: number,
): Promise<QueryPlan> {
  const { terms, parcels, userId, from, to } = wanted
  const crowded = terms !== null && ids === null
  // Of a few labels in some place the words are put together anew: sooner done than looking for them among all of his entries.
  const byEntries =
    crowded && userId !== null && !(parcels && (await areParcelsFew(db, userId, parcels, most)))
  return {
    query: wanted,
    ids,
    tooMany: crowded,
    usesEntries: byEntries,
    ...(await idRangeFor(db, { table: 'shipment_order', timeColumn: 'created_at' }, from, to)),
  }
}

/** Whether no more than `most` parcels of a user have these statuses. */
async function areParcelsFew(
  db: Db,
  userId: number,
  parcels: TrackingStatus[],
  most: number,
): Promise<boolean> {
  const {
    rows: [counted],
  } = await sql<{ n: number }>`
    select count(*) as n from (
      select 1 from parcel_tracking where user_id = ${userId} and status = any(${parcels}::text[]) limit ${most + 1}) counted`.execute(
    db,
  )
  return counted!.n <= most
}

/** Labels of anybody that fit: by number, by the end of the tracking number, by how the shop's reference begins. Null: too many. */
async function selectMatchingOfAllUsers(
  db: Db,
  { id, tracking, reference }: SearchTerms,
  most: number,
): Promise<number[] | null> {
  const [end, endsBefore] = tracking === null ? [null, null] : prefixRange(reverseText(tracking))
  const [first, firstAfter] = prefixRange(reference)
  const {
    rows: [found],
  } = await sql<{ ids: number[] | null }>`
    with fitting as materialized (
      select id from shipment_order where id = ${id}
      union
      (select id from shipment_order where reverse(tracking_number) ~>=~ ${end} and reverse(tracking_number) ~<~ ${endsBefore}
        limit ${most + 1})
      union
      (select order_id from order_list_entry where reference ~>=~ ${first} and reference ~<~ ${firstAfter} limit ${most + 1}))
    select case when (select count(*) from fitting) <= ${most} then array(select id from fitting) end as ids`.execute(
    db,
  )
  return found!.ids
}

/** A label and where it stands: behind all with a greater key. */
export type OrderPosition = { id: number; key: number }

/** `before`: only keys below it. */
export type PositionRange = { before?: number; offset?: number; limit: number }

/** Wanted labels, newest first. */
export async function selectPositions(
  db: Db,
  way: QueryPlan,
  { before, offset = 0, limit }: PositionRange,
): Promise<OrderPosition[]> {
  const { rows } = await sql<OrderPosition>`${sql.raw(CUSTOM_PLAN)}
    select id, key from (${scanAll(way, offset + limit, before)}) found order by key desc offset ${offset} limit ${limit}`.execute(
    db,
  )
  return rows
}

/** How many labels are wanted; no further than `most`. */
export async function countMatches(db: Db, way: QueryPlan, most: number): Promise<number> {
  const {
    query: { states, parcels, batchId, from, to },
    tooMany,
  } = way
  if (tooMany && [states, parcels, batchId, from, to].every(part => part === null)) return most
  const {
    rows: [counted],
  } = await sql<{ n: number }>`${sql.raw(CUSTOM_PLAN)}
    select count(*) as n from (select 1 from (${scanAll(way, most)}) found limit ${most}) counted`.execute(
    db,
  )
  return counted!.n
}

const BOUGHT: readonly OrderState[] = ['purchased', 'voiding']

/**
 * States are walked through one by one: most have an index of their own, which one walk through several could not use. So are the
 * places of parcels, where these are asked for.
 */
function scanAll(way: QueryPlan, most: number, before?: number): RawBuilder<unknown> {
  const { states, parcels } = way.query
  const parts =
    parcels === null
      ? (states ?? [null]).map(state => scanLabels(way, state, most, before))
      : way.usesEntries
        ? [scanEntries(way, parcels, most, before)]
        : parcels.map(parcel => scanParcels(way, parcel, most, before))
  return parts.length === 0
    ? sql`select 0::bigint as id, 0::bigint as key where false`
    : sql.join(parts, sql` union all `)
}

function scanLabels(
  way: QueryPlan,
  state: OrderState | null,
  most: number,
  before?: number,
): RawBuilder<unknown> {
  const {
    query: { userId, terms },
    tooMany,
    usesEntries,
  } = way
  const conditions = [
    ...(userId === null
      ? []
      : [usesEntries ? sql`e.user_id = ${userId}` : sql`o.user_id = ${userId}`]),
    // As a literal: only so does the planner see that an index of this state will do.
    ...(state === null ? [] : [sql`o.state = ${sql.lit(state)}`]),
    ...(usesEntries ? [entryMatchesWords(userId!, terms!)] : []),
    ...(tooMany && !usesEntries ? [orderMatchesTerms(terms!)] : []),
  ]
  const source = usesEntries
    ? sql`order_list_entry e join shipment_order o on o.id = e.order_id`
    : sql`shipment_order o`
  return scanSource(
    way,
    source,
    usesEntries ? sql`e.position` : sql`o.id`,
    conditions,
    most,
    before,
  )
}

/** Each label by the number of its parcel: left to itself the planner walks through all labels until it meets the first parcel. */
const LABEL_LATERAL = sql`cross join lateral (select * from shipment_order where id = p.order_id offset 0) o`
const LABEL_JOIN = sql`join shipment_order o on o.id = p.order_id`

function scanParcels(
  way: QueryPlan,
  parcel: TrackingStatus,
  most: number,
  before?: number,
): RawBuilder<unknown> {
  const {
    query: { userId, terms, batchId, from, to },
    ids,
    low,
    high,
    tooMany,
  } = way
  const conditions = [
    sql`p.status = ${parcel}`,
    ...(userId === null ? [] : [sql`p.user_id = ${userId}`]),
    ...(from === null ? [] : [sql`p.order_id >= ${low}`]),
    ...(to === null ? [] : [sql`p.order_id < ${high}`]),
    isBought(way),
    ...(tooMany
      ? [userId === null ? orderMatchesTerms(terms!) : orderMatchesWords(userId, terms!)]
      : []),
  ]
  const source = sql`parcel_tracking p ${batchId === null && ids === null ? LABEL_LATERAL : LABEL_JOIN}`
  return scanSource(way, source, sql`p.order_id`, conditions, most, before)
}

function scanEntries(
  way: QueryPlan,
  parcels: TrackingStatus[],
  most: number,
  before?: number,
): RawBuilder<unknown> {
  const { userId, terms } = way.query
  const conditions = [
    sql`e.user_id = ${userId}`,
    entryMatchesWords(userId!, terms!),
    sql`p.status = any(${parcels}::text[])`,
    isBought(way),
  ]
  const source = sql`order_list_entry e
    cross join lateral (select * from parcel_tracking where order_id = e.order_id offset 0) p ${LABEL_LATERAL}`
  return scanSource(way, source, sql`e.position`, conditions, most, before)
}

const isBought = ({ query: { states } }: QueryPlan): RawBuilder<unknown> =>
  sql`o.state = any(${BOUGHT.filter(state => states?.includes(state) ?? true)}::text[])`

function scanSource(
  { query: { batchId, from, to }, ids, low, high }: QueryPlan,
  source: RawBuilder<unknown>,
  key: RawBuilder<unknown>,
  narrower: RawBuilder<unknown>[],
  most: number,
  before?: number,
): RawBuilder<unknown> {
  const conditions = [
    ...narrower,
    ...(batchId === null ? [] : [sql`o.batch_id = ${batchId}`]),
    ...(from === null ? [] : [sql`o.id >= ${low} and o.created_at >= ${from}`]),
    // The wire's moments are whole milliseconds, the database's are not.
    ...(to === null
      ? []
      : [sql`o.id < ${high} and o.created_at < ${to}::timestamptz + interval '1 millisecond'`]),
    ...(ids === null ? [] : [sql`o.id = any(${ids}::bigint[])`]),
    ...(before === undefined ? [] : [sql`${key} < ${before}`]),
  ]
  return sql`(select o.id, ${key} as key from ${source}
    where ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)} order by ${key} desc limit ${most})`
}

const orderMatchesTerms = ({ tracking, reference }: SearchTerms): RawBuilder<unknown> =>
  sql`(starts_with(lower(o.order_ref), ${reference}) or right(o.tracking_number, ${tracking?.length ?? 0}) = ${tracking})`

const entryMatchesWords = (userId: number, { words }: SearchTerms): RawBuilder<unknown> =>
  sql`(e.search_words @@ ${tsQueryFor(userId, words)}::tsquery) is true`

/** The same words as an order's entry has. */
const orderMatchesWords = (userId: number, { words }: SearchTerms): RawBuilder<unknown> =>
  sql`order_search_words(o.user_id, array[o.sender ->> 'name', o.receiver ->> 'name', o.order_ref]) @@ ${tsQueryFor(userId, words)}::tsquery`
