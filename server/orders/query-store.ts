/**
 * Filtered labels of one user or of all. Each source is scanned from the newest label back, and only as far as needed, so that a page of
 * a million labels takes milliseconds (docs/decisions/0021-list-entries-beside-orders.md).
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { Db } from '#server/platform/database/database.ts'
import { idRangeForPeriod } from '#server/platform/database/id-range.ts'
import type { IdRange } from '#server/platform/database/id-range.ts'
import { CUSTOM_PLAN } from '#server/platform/database/prepared-statements.ts'
import { selectMatching } from './lists-store.ts'
import type { OrderState } from './rules.ts'
import { reverseText, tsQueryFor, prefixRange } from './search.ts'
import type { SearchTerms } from './search.ts'

/**
 * Null: not filtered. Empty `states` or `parcels`: filters exclude each other. `parcels` implies
 * bought labels.
 */
export type OrderQuery = {
  terms: SearchTerms | null
  states: OrderState[] | null
  parcels: TrackingStatus[] | null
  userId: number | null
  batchId: number | null
  /** The uid of a service. */
  service: string | null
  from: Date | null
  to: Date | null
}

/**
 * `ids`: matches of a search; null without one, or with `tooMany` matches, which are filtered in
 * the scan. `low`, `high`: ids of the time range. `usesEntries`: scans a user's list entries, which
 * have the words.
 */
export type QueryPlan = IdRange & {
  query: OrderQuery
  ids: number[] | null
  tooMany: boolean
  usesEntries: boolean
}

export async function planQuery(db: Db, query: OrderQuery, most: number): Promise<QueryPlan> {
  const { terms, userId } = query
  const ids =
    terms
    && (await (userId === null
      ? selectMatchingOfAllUsers(db, terms, most)
      : selectMatching(db, userId, terms, most)))
  return planQueryWithin(db, query, ids, most)
}

/** `ids`: see `QueryPlan`. */
export async function planQueryWithin(
  db: Db,
  query: OrderQuery,
  ids: number[] | null,
  most: number,
): Promise<QueryPlan> {
  const { terms, parcels, userId, from, to } = query
  const tooMany = terms !== null && ids === null
  // Building the words of a few orders is faster than scanning all entries of the user.
  const usesEntries =
    tooMany && userId !== null && !(parcels && (await areParcelsFew(db, userId, parcels, most)))
  return {
    query,
    ids,
    tooMany,
    usesEntries,
    ...(await idRangeForPeriod(
      db,
      { table: 'shipment_order', timeColumn: 'created_at' },
      from,
      to,
    )),
  }
}

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

/** By id, end of the tracking number, beginning of the reference. Null: too many. */
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
    with matching as materialized (
      select id from shipment_order where id = ${id}
      union
      (select id from shipment_order where reverse(tracking_number) ~>=~ ${end} and reverse(tracking_number) ~<~ ${endsBefore}
        limit ${most + 1})
      union
      (select order_id from order_list_entry where reference ~>=~ ${first} and reference ~<~ ${firstAfter} limit ${most + 1}))
    select case when (select count(*) from matching) <= ${most} then array(select id from matching) end as ids`.execute(
    db,
  )
  return found!.ids
}

export type OrderPosition = { id: number; key: number }

/** `before`: only keys below it. */
export type PositionRange = { before?: number; offset?: number; limit: number }

/** Newest first. */
export async function selectPositions(
  db: Db,
  plan: QueryPlan,
  { before, offset = 0, limit }: PositionRange,
): Promise<OrderPosition[]> {
  const { rows } = await sql<OrderPosition>`${sql.raw(CUSTOM_PLAN)}
    select id, key from (${scanAll(plan, offset + limit, before)}) found order by key desc offset ${offset} limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Counts up to `most`. */
export async function countMatches(db: Db, plan: QueryPlan, most: number): Promise<number> {
  const {
    query: { states, parcels, batchId, service, from, to },
    tooMany,
  } = plan
  if (tooMany && [states, parcels, batchId, service, from, to].every(part => part === null))
    return most
  const {
    rows: [counted],
  } = await sql<{ n: number }>`${sql.raw(CUSTOM_PLAN)}
    select count(*) as n from (select 1 from (${scanAll(plan, most)}) found limit ${most}) counted`.execute(
    db,
  )
  return counted!.n
}

const BOUGHT: readonly OrderState[] = ['purchased', 'voiding']

/**
 * One scan per state or parcel status: most have their own index, which a scan of several could not
 * use. List entries have no such index, so one scan reads them for all.
 */
function scanAll(plan: QueryPlan, most: number, before?: number): RawBuilder<unknown> {
  const { parcels } = plan.query
  const parts =
    parcels === null
      ? statesOfScans(plan).map(some => scanLabels(plan, some, most, before))
      : plan.usesEntries
        ? [scanEntries(plan, parcels, most, before)]
        : parcels.map(parcel => scanParcels(plan, parcel, most, before))
  return parts.length === 0
    ? sql`select 0::bigint as id, 0::bigint as key where false`
    : sql.join(parts, sql` union all `)
}

function statesOfScans({ query: { states }, usesEntries }: QueryPlan): (OrderState[] | null)[] {
  if (states === null) return [null]
  return usesEntries && states.length > 0 ? [states] : states.map(state => [state])
}

function scanLabels(
  plan: QueryPlan,
  states: OrderState[] | null,
  most: number,
  before?: number,
): RawBuilder<unknown> {
  const {
    query: { userId, terms },
    tooMany,
    usesEntries,
  } = plan
  const conditions = [
    ...(userId === null
      ? []
      : [usesEntries ? sql`e.user_id = ${userId}` : sql`o.user_id = ${userId}`]),
    // As literals: otherwise the planner does not use the index of a state.
    ...(states === null
      ? []
      : [
          sql`o.state in (${sql.join(
            states.map(state => sql.lit(state)),
            sql`, `,
          )})`,
        ]),
    ...(usesEntries ? [entryMatchesWords(userId!, terms!)] : []),
    ...(tooMany && !usesEntries ? [orderMatchesTerms(terms!)] : []),
  ]
  const source = usesEntries
    ? sql`order_list_entry e join shipment_order o on o.id = e.order_id`
    : sql`shipment_order o`
  return scanSource(
    plan,
    source,
    usesEntries ? sql`e.position` : sql`o.id`,
    conditions,
    most,
    before,
  )
}

/** Otherwise the planner scans all labels until it finds the first parcel. */
const LABEL_LATERAL = sql`cross join lateral (select * from shipment_order where id = p.order_id offset 0) o`
const LABEL_JOIN = sql`join shipment_order o on o.id = p.order_id`

function scanParcels(
  plan: QueryPlan,
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
  } = plan
  const conditions = [
    sql`p.status = ${parcel}`,
    ...(userId === null ? [] : [sql`p.user_id = ${userId}`]),
    ...(from === null ? [] : [sql`p.order_id >= ${low}`]),
    ...(to === null ? [] : [sql`p.order_id < ${high}`]),
    isBought(plan),
    ...(tooMany
      ? [userId === null ? orderMatchesTerms(terms!) : orderMatchesWords(userId, terms!)]
      : []),
  ]
  const source = sql`parcel_tracking p ${batchId === null && ids === null ? LABEL_LATERAL : LABEL_JOIN}`
  return scanSource(plan, source, sql`p.order_id`, conditions, most, before)
}

function scanEntries(
  plan: QueryPlan,
  parcels: TrackingStatus[],
  most: number,
  before?: number,
): RawBuilder<unknown> {
  const { userId, terms } = plan.query
  const conditions = [
    sql`e.user_id = ${userId}`,
    entryMatchesWords(userId!, terms!),
    sql`p.status = any(${parcels}::text[])`,
    isBought(plan),
  ]
  const source = sql`order_list_entry e
    cross join lateral (select * from parcel_tracking where order_id = e.order_id offset 0) p ${LABEL_LATERAL}`
  return scanSource(plan, source, sql`e.position`, conditions, most, before)
}

const isBought = ({ query: { states } }: QueryPlan): RawBuilder<unknown> =>
  sql`o.state = any(${BOUGHT.filter(state => states?.includes(state) ?? true)}::text[])`

function scanSource(
  { query: { batchId, service, from, to }, ids, low, high }: QueryPlan,
  source: RawBuilder<unknown>,
  key: RawBuilder<unknown>,
  filters: RawBuilder<unknown>[],
  most: number,
  before?: number,
): RawBuilder<unknown> {
  const conditions = [
    ...filters,
    ...(batchId === null ? [] : [sql`o.batch_id = ${batchId}`]),
    ...(service === null ? [] : [sql`o.service_uid = ${service}`]),
    ...(from === null ? [] : [sql`o.id >= ${low} and o.created_at >= ${from}`]),
    // API times are whole milliseconds, database times are not.
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

/** The same words as in the list entry of the order. */
const orderMatchesWords = (userId: number, { words }: SearchTerms): RawBuilder<unknown> =>
  sql`order_search_words(o.user_id, array[o.sender ->> 'name', o.receiver ->> 'name', o.order_ref])
    @@ ${tsQueryFor(userId, words)}::tsquery`
