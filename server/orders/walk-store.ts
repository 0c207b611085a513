/**
 * Labels by what they are narrowed to, of one user or of all. Each way in is walked from the newest label back and no further than is
 * asked for, so that of a million labels a page takes milliseconds (docs/decisions/0021).
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { Db } from '#server/platform/database.ts'
import { FOR_ITS_VALUES } from '#server/platform/naming-client.ts'
import { numbersOf } from '#server/platform/numbered.ts'
import type { Numbers } from '#server/platform/numbered.ts'
import type { OrderState } from '#server/platform/tables.ts'
import { selectFitting } from './lists-store.ts'
import { backwards, queryFor, stretchOf } from './search.ts'
import type { Sought } from './search.ts'

/**
 * Null for a part that nobody asked for. `states` and `parcels`: any of these; none at all where what is asked for excludes each other.
 * With `parcels` only labels that were bought.
 */
export type Wanted = {
  sought: Sought | null
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
export type Way = Numbers & {
  wanted: Wanted
  ids: number[] | null
  crowded: boolean
  byEntries: boolean
}

/** A search fits `most` labels or is crowded. */
export async function findWay(db: Db, wanted: Wanted, most: number): Promise<Way> {
  const { sought, userId } = wanted
  const ids =
    sought
    && (await (userId === null
      ? selectFittingAnywhere(db, sought, most)
      : selectFitting(db, userId, sought, most)))
  return wayTo(db, wanted, ids, most)
}

/** The way to what is wanted, when the search was made: `ids` as there. */
export async function wayTo(
  db: Db,
  wanted: Wanted,
  ids: number[] | null,
  most: number,
): Promise<Way> {
  const { sought, parcels, userId, from, to } = wanted
  const crowded = sought !== null && ids === null
  // Of a few labels in some place the words are put together anew: sooner done than looking for them among all of his entries.
  const byEntries =
    crowded && userId !== null && !(parcels && (await areFew(db, userId, parcels, most)))
  return { wanted, ids, crowded, byEntries, ...(await numbersOf(db, 'shipment_order', from, to)) }
}

/** Whether no more than `most` parcels of a user have these statuses. */
async function areFew(
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
async function selectFittingAnywhere(
  db: Db,
  { id, tracking, reference }: Sought,
  most: number,
): Promise<number[] | null> {
  const [end, endsBefore] = tracking === null ? [null, null] : stretchOf(backwards(tracking))
  const [first, firstAfter] = stretchOf(reference)
  const {
    rows: [found],
  } = await sql<{ ids: number[] | null }>`
    with fitting as materialized (
      select id from shipment_order where id = ${id}
      union
      (select id from shipment_order where reverse(tracking_number) ~>=~ ${end} and reverse(tracking_number) ~<~ ${endsBefore}
        limit ${most + 1})
      union
      (select order_id from order_entry where reference ~>=~ ${first} and reference ~<~ ${firstAfter} limit ${most + 1}))
    select case when (select count(*) from fitting) <= ${most} then array(select id from fitting) end as ids`.execute(
    db,
  )
  return found!.ids
}

/** A label and where it stands: behind all with a greater key. */
export type Place = { id: number; key: number }

/** `before`: only keys below it. */
export type Slice = { before?: number; offset?: number; limit: number }

/** Wanted labels, newest first. */
export async function selectPlaces(
  db: Db,
  way: Way,
  { before, offset = 0, limit }: Slice,
): Promise<Place[]> {
  const { rows } = await sql<Place>`${sql.raw(FOR_ITS_VALUES)}
    select id, key from (${walks(way, offset + limit, before)}) found order by key desc offset ${offset} limit ${limit}`.execute(
    db,
  )
  return rows
}

/** How many labels are wanted; no further than `most`. */
export async function countPlaces(db: Db, way: Way, most: number): Promise<number> {
  const {
    wanted: { states, parcels, batchId, from, to },
    crowded,
  } = way
  if (crowded && [states, parcels, batchId, from, to].every(part => part === null)) return most
  const {
    rows: [counted],
  } = await sql<{ n: number }>`${sql.raw(FOR_ITS_VALUES)}
    select count(*) as n from (select 1 from (${walks(way, most)}) found limit ${most}) counted`.execute(
    db,
  )
  return counted!.n
}

const BOUGHT: readonly OrderState[] = ['purchased', 'voiding']

/**
 * States are walked through one by one: most have an index of their own, which one walk through several could not use. So are the
 * places of parcels, where these are asked for.
 */
function walks(way: Way, most: number, before?: number): RawBuilder<unknown> {
  const { states, parcels } = way.wanted
  const parts =
    parcels === null
      ? (states ?? [null]).map(state => walkLabels(way, state, most, before))
      : way.byEntries
        ? [walkEntries(way, parcels, most, before)]
        : parcels.map(parcel => walkParcels(way, parcel, most, before))
  return parts.length === 0
    ? sql`select 0::bigint as id, 0::bigint as key where false`
    : sql.join(parts, sql` union all `)
}

function walkLabels(
  way: Way,
  state: OrderState | null,
  most: number,
  before?: number,
): RawBuilder<unknown> {
  const {
    wanted: { userId, sought },
    crowded,
    byEntries,
  } = way
  const conditions = [
    ...(userId === null
      ? []
      : [byEntries ? sql`e.user_id = ${userId}` : sql`o.user_id = ${userId}`]),
    // As a literal: only so does the planner see that an index of this state will do.
    ...(state === null ? [] : [sql`o.state = ${sql.lit(state)}`]),
    ...(byEntries ? [entryHas(userId!, sought!)] : []),
    ...(crowded && !byEntries ? [hasSought(sought!)] : []),
  ]
  const source = byEntries
    ? sql`order_entry e join shipment_order o on o.id = e.order_id`
    : sql`shipment_order o`
  return walk(way, source, byEntries ? sql`e.n` : sql`o.id`, conditions, most, before)
}

/** Each label by the number of its parcel: left to itself the planner walks through all labels until it meets the first parcel. */
const ITS_LABEL = sql`cross join lateral (select * from shipment_order where id = p.order_id offset 0) o`
const LABEL = sql`join shipment_order o on o.id = p.order_id`

function walkParcels(
  way: Way,
  parcel: TrackingStatus,
  most: number,
  before?: number,
): RawBuilder<unknown> {
  const {
    wanted: { userId, sought, batchId, from, to },
    ids,
    low,
    high,
    crowded,
  } = way
  const conditions = [
    sql`p.status = ${parcel}`,
    ...(userId === null ? [] : [sql`p.user_id = ${userId}`]),
    ...(from === null ? [] : [sql`p.order_id >= ${low}`]),
    ...(to === null ? [] : [sql`p.order_id < ${high}`]),
    isBought(way),
    ...(crowded ? [userId === null ? hasSought(sought!) : hasWords(userId, sought!)] : []),
  ]
  const source = sql`parcel_tracking p ${batchId === null && ids === null ? ITS_LABEL : LABEL}`
  return walk(way, source, sql`p.order_id`, conditions, most, before)
}

function walkEntries(
  way: Way,
  parcels: TrackingStatus[],
  most: number,
  before?: number,
): RawBuilder<unknown> {
  const { userId, sought } = way.wanted
  const conditions = [
    sql`e.user_id = ${userId}`,
    entryHas(userId!, sought!),
    sql`p.status = any(${parcels}::text[])`,
    isBought(way),
  ]
  const source = sql`order_entry e
    cross join lateral (select * from parcel_tracking where order_id = e.order_id offset 0) p ${ITS_LABEL}`
  return walk(way, source, sql`e.n`, conditions, most, before)
}

const isBought = ({ wanted: { states } }: Way): RawBuilder<unknown> =>
  sql`o.state = any(${BOUGHT.filter(state => states?.includes(state) ?? true)}::text[])`

function walk(
  { wanted: { batchId, from, to }, ids, low, high }: Way,
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

const hasSought = ({ tracking, reference }: Sought): RawBuilder<unknown> =>
  sql`(starts_with(lower(o.order_ref), ${reference}) or right(o.tracking_number, ${tracking?.length ?? 0}) = ${tracking})`

const entryHas = (userId: number, { words }: Sought): RawBuilder<unknown> =>
  sql`(e.words @@ ${queryFor(userId, words)}::tsquery) is true`

/** The same words as an order's entry has. */
const hasWords = (userId: number, { words }: Sought): RawBuilder<unknown> =>
  sql`order_words(o.user_id, array[o.sender ->> 'name', o.receiver ->> 'name', o.order_ref]) @@ ${queryFor(userId, words)}::tsquery`
