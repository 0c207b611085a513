/**
 * Labels of all users, looked for. Each way in is walked from the newest label back and no further than is asked for, so that of a
 * million labels a page takes milliseconds (docs/decisions/0021).
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Person } from '#server/accounts/trail-store.ts'
import { selectFitting } from '#server/orders/lists-store.ts'
import { backwards, queryFor, stretchOf } from '#server/orders/search.ts'
import type { Sought } from '#server/orders/search.ts'
import { findOrders } from '#server/orders/store.ts'
import type { OrderRecord } from '#server/orders/store.ts'
import type { Db } from '#server/platform/database.ts'
import { FOR_ITS_VALUES } from '#server/platform/naming-client.ts'
import { numbersOf } from '#server/platform/numbered.ts'
import type { Numbers } from '#server/platform/numbered.ts'
import type { OrderState } from '#server/platform/tables.ts'
import type { Wanted } from './order-filter.ts'

/** A label as administrators see it: whose it is, and what the carrier took for it. */
export type FoundOrder = { order: OrderRecord, user: Person, cost: Cents | null }

/**
 * How wanted labels are come by. `ids`: those that a search has found; null where there was none, or where it fits so many that all
 * labels are looked at instead: `crowded`. `low` and `high`: the numbers between which the wanted time lies.
 */
export type Way = Numbers & { wanted: Wanted, ids: number[] | null, crowded: boolean }

/** A search fits `most` labels or is crowded. */
export async function findWay(db: Db, wanted: Wanted, most: number): Promise<Way> {
  const { sought, userId, from, to } = wanted
  const ids = sought && await (userId === null ? selectFittingAnywhere(db, sought, most) : selectFitting(db, userId, sought, most))
  return {
    wanted, ids, crowded: sought !== null && ids === null, ...await numbersOf(db, 'shipment_order', from, to),
  }
}

/** Labels of anybody that fit: by number, by the end of the tracking number, by how the shop's reference begins. Null: too many. */
async function selectFittingAnywhere(db: Db, { id, tracking, reference }: Sought, most: number): Promise<number[] | null> {
  const [end, endsBefore] = tracking === null ? [null, null] : stretchOf(backwards(tracking))
  const [first, firstAfter] = stretchOf(reference)
  const { rows: [found] } = await sql<{ ids: number[] | null }>`
    with fitting as materialized (
      select id from shipment_order where id = ${id}
      union
      (select id from shipment_order where reverse(tracking_number) ~>=~ ${end} and reverse(tracking_number) ~<~ ${endsBefore}
        limit ${most + 1})
      union
      (select order_id from order_entry where reference ~>=~ ${first} and reference ~<~ ${firstAfter} limit ${most + 1}))
    select case when (select count(*) from fitting) <= ${most} then array(select id from fitting) end as ids`.execute(db)
  return found!.ids
}

/** A label and where it stands: behind all with a greater key. */
export type Place = { id: number, key: number }

/** `before`: only keys below it. */
export type Slice = { before?: number, offset?: number, limit: number }

/** Wanted labels, newest first. */
export async function selectPlaces(db: Db, way: Way, { before, offset = 0, limit }: Slice): Promise<Place[]> {
  const { rows } = await sql<Place>`${sql.raw(FOR_ITS_VALUES)}
    select id, key from (${walks(way, offset + limit, before)}) found order by key desc offset ${offset} limit ${limit}`.execute(db)
  return rows
}

/** How many labels are wanted; no further than `most`. */
export async function countPlaces(db: Db, way: Way, most: number): Promise<number> {
  const { wanted: { states, batchId, from, to }, crowded } = way
  if (crowded && [states, batchId, from, to].every(part => part === null)) return most
  const { rows: [counted] } = await sql<{ n: number }>`${sql.raw(FOR_ITS_VALUES)}
    select count(*) as n from (select 1 from (${walks(way, most)}) found limit ${most}) counted`.execute(db)
  return counted!.n
}

/** States are walked through one by one: most have an index of their own, which one walk through several could not use. */
function walks(way: Way, most: number, before?: number): RawBuilder<unknown> {
  const { states } = way.wanted
  if (states?.length === 0) return sql`select 0::bigint as id, 0::bigint as key where false`
  return sql.join((states ?? [null]).map(state => walk(way, state, most, before)), sql` union all `)
}

function walk({ wanted, ids, crowded, low, high }: Way, state: OrderState | null, most: number, before?: number): RawBuilder<unknown> {
  const { userId, batchId, from, to, sought } = wanted
  // Of one user's labels with frequent words: through his entries, which have the words.
  const byEntries = crowded && userId !== null
  const key = byEntries ? sql`e.n` : sql`o.id`
  const conditions = [
    ...userId === null ? [] : [byEntries ? sql`e.user_id = ${userId}` : sql`o.user_id = ${userId}`],
    ...batchId === null ? [] : [sql`o.batch_id = ${batchId}`],
    // As a literal: only so does the planner see that an index of this state will do.
    ...state === null ? [] : [sql`o.state = ${sql.lit(state)}`],
    ...from === null ? [] : [sql`o.id >= ${low} and o.created_at >= ${from}`],
    // The wire's moments are whole milliseconds, the database's are not.
    ...to === null ? [] : [sql`o.id < ${high} and o.created_at < ${to}::timestamptz + interval '1 millisecond'`],
    ...ids === null ? [] : [sql`o.id = any(${ids}::bigint[])`],
    ...byEntries ? [sql`(e.words @@ ${queryFor(userId, sought!.words)}::tsquery) is true`] : [],
    ...crowded && !byEntries ? [hasSought(sought!)] : [],
    ...before === undefined ? [] : [sql`${key} < ${before}`],
  ]
  const source = byEntries ? sql`order_entry e join shipment_order o on o.id = e.order_id` : sql`shipment_order o`
  return sql`(select o.id, ${key} as key from ${source}
    where ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)} order by ${key} desc limit ${most})`
}

const hasSought = ({ tracking, reference }: Sought): RawBuilder<unknown> =>
  sql`(starts_with(lower(o.order_ref), ${reference}) or right(o.tracking_number, ${tracking?.length ?? 0}) = ${tracking})`

/** How many labels there are. */
export async function countAllOrders(db: Db): Promise<number> {
  const { rows: [counted] } = await sql<{ n: number }>`select coalesce(sum(n), 0)::bigint as n from order_tally`.execute(db)
  return counted!.n
}

/** A page of all labels, newest first, read from the nearer end. */
export async function selectPageOfAll(db: Db, total: number, offset: number, limit: number): Promise<number[]> {
  const behind = total - offset - limit
  const fromOldest = behind < offset
  const [skip, take] = fromOldest ? [Math.max(0, behind), Math.max(0, limit + Math.min(0, behind))] : [offset, limit]
  const { rows } = await sql<{ id: number }>`select id from shipment_order order by id ${fromOldest ? sql`asc` : sql`desc`}
    offset ${skip} limit ${take}`.execute(db)
  return fromOldest ? rows.reverse().map(row => row.id) : rows.map(row => row.id)
}

/** Labels by their numbers, in the same order. */
export async function selectFound(db: Db, ids: number[]): Promise<FoundOrder[]> {
  const [orders, backs] = await Promise.all([findOrders(db, ids), sql<{ id: number, cost: number | null, user: Person }>`
    select o.id, o.cost_cents as cost, json_build_object('id', u.id, 'name', u.name, 'email', u.email) as user
      from shipment_order o join app_user u on u.id = o.user_id where o.id = any(${ids}::bigint[])`.execute(db)])
  const order = new Map(orders.map(one => [one.id, one]))
  const back = new Map(backs.rows.map(one => [one.id, one]))
  return ids.flatMap(id => {
    const [one, { cost = null, user } = {}] = [order.get(id), back.get(id)]
    return one && user ? [{ order: one, user, cost: cost === null ? null : cents(cost) }] : []
  })
}
