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
 * the scan. `low`, `high`: ids of the time range.
 */
export type QueryPlan = IdRange & {
  query: OrderQuery
  ids: number[] | null
  tooMany: boolean
}

export async function planQuery(db: Db, query: OrderQuery, most: number): Promise<QueryPlan> {
  const { terms, userId } = query
  const ids =
    terms
    && (await (userId === null
      ? selectMatchingOfAllUsers(db, terms, most)
      : selectMatching(db, userId, terms, most)))
  return planQueryWithin(db, query, ids)
}

/** `ids`: see `QueryPlan`. */
export async function planQueryWithin(
  db: Db,
  query: OrderQuery,
  ids: number[] | null,
): Promise<QueryPlan> {
  const { terms, from, to } = query
  return {
    query,
    ids,
    tooMany: terms !== null && ids === null,
    ...(await idRangeForPeriod(
      db,
      { table: 'shipment_order', timeColumn: 'created_at' },
      from,
      to,
    )),
  }
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

/** `before`: only ids below it. */
export type IdsRange = { before?: number; offset?: number; limit: number }

/** Newest first. */
export async function selectIds(
  db: Db,
  plan: QueryPlan,
  { before, offset = 0, limit }: IdsRange,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${sql.raw(CUSTOM_PLAN)}
    select id from (${scanAll(plan, offset + limit, before)}) found order by id desc offset ${offset} limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
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
  const { states, parcels } = plan.query
  const parts =
    parcels !== null
      ? parcels.map(parcel => scanParcels(plan, parcel, most, before))
      : readsWordsFirst(plan)
        ? [scanEntries(plan, most, before)]
        : (states?.map(state => [state]) ?? [null]).map(some =>
            scanLabels(plan, some, most, before),
          )
  return parts.length === 0
    ? sql`select 0::bigint as id where false`
    : sql.join(parts, sql` union all `)
}

/** The rest of the query leaves most of a user's labels, so that their words are read first. */
const readsWordsFirst = ({
  query: { userId, states, batchId, service },
  tooMany,
}: QueryPlan): boolean =>
  tooMany
  && userId !== null
  && (states === null || states.includes('purchased'))
  && batchId === null
  && service === null

// Each joined by its key: otherwise the planner may read all of a user's rows before the first one.
const ORDER_OF_PARCEL = sql`cross join lateral (select * from shipment_order where id = p.order_id offset 0) o`
const ORDER_OF_ENTRY = sql`cross join lateral (select * from shipment_order where id = e.order_id offset 0) o`
const ENTRY_OF_ORDER = sql`cross join lateral
  (select search_words from order_list_entry where user_id = o.user_id and order_id = o.id offset 0) e`
// Most labels may have the service or the parcel status; then the planner merges both by the order.
const MERGED_ENTRY_OF_ORDER = sql`join order_list_entry e on e.user_id = o.user_id and e.order_id = o.id`
const MERGED_ENTRY_OF_PARCEL = sql`join order_list_entry e on e.user_id = p.user_id and e.order_id = p.order_id`

function scanLabels(
  plan: QueryPlan,
  states: OrderState[] | null,
  most: number,
  before?: number,
): RawBuilder<unknown> {
  const {
    query: { userId, terms, service },
    tooMany,
  } = plan
  const byWords = tooMany && userId !== null
  const entry = service === null ? ENTRY_OF_ORDER : MERGED_ENTRY_OF_ORDER
  const conditions = [
    ...(userId === null ? [] : [sql`o.user_id = ${userId}`]),
    ...(states === null ? [] : [isInState(states)]),
    ...(byWords ? [entryMatchesWords(userId, terms!)] : []),
    ...(tooMany && userId === null ? [orderMatchesTerms(terms!)] : []),
  ]
  const source = sql`shipment_order o ${byWords ? entry : sql``}`
  return scanSource(plan, source, sql`o.id`, conditions, most, before)
}

function scanEntries(plan: QueryPlan, most: number, before?: number): RawBuilder<unknown> {
  const { userId, terms, states } = plan.query
  const conditions = [
    sql`e.user_id = ${userId}`,
    entryMatchesWords(userId!, terms!),
    ...(states === null ? [] : [isInState(states)]),
  ]
  const source = sql`order_list_entry e ${ORDER_OF_ENTRY}`
  return scanSource(plan, source, sql`e.order_id`, conditions, most, before)
}

function scanParcels(
  plan: QueryPlan,
  parcel: TrackingStatus,
  most: number,
  before?: number,
): RawBuilder<unknown> {
  const {
    query: { userId, terms, batchId, states },
    ids,
    tooMany,
  } = plan
  const byWords = tooMany && userId !== null
  const conditions = [
    sql`p.status = ${parcel}`,
    ...(userId === null ? [] : [sql`p.user_id = ${userId}`]),
    sql`o.state = any(${BOUGHT.filter(state => states?.includes(state) ?? true)}::text[])`,
    ...(byWords ? [entryMatchesWords(userId, terms!)] : []),
    ...(tooMany && userId === null ? [orderMatchesTerms(terms!)] : []),
  ]
  const order =
    batchId === null && ids === null
      ? ORDER_OF_PARCEL
      : sql`join shipment_order o on o.id = p.order_id`
  const source = sql`parcel_tracking p ${byWords ? MERGED_ENTRY_OF_PARCEL : sql``} ${order}`
  return scanSource(plan, source, sql`p.order_id`, conditions, most, before)
}

/** As literals: otherwise the planner does not use the index of a state. */
const isInState = (states: readonly OrderState[]): RawBuilder<unknown> =>
  sql`o.state in (${sql.join(
    states.map(state => sql.lit(state)),
    sql`, `,
  )})`

/** `id`: the order's id in the table that is scanned. */
function scanSource(
  { query: { batchId, service, from, to }, ids, low, high }: QueryPlan,
  source: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  filters: RawBuilder<unknown>[],
  most: number,
  before?: number,
): RawBuilder<unknown> {
  const conditions = [
    ...filters,
    ...(batchId === null ? [] : [sql`o.batch_id = ${batchId}`]),
    ...(service === null ? [] : [sql`o.service_uid = ${service}`]),
    ...(from === null ? [] : [sql`${id} >= ${low} and o.created_at >= ${from}`]),
    // API times are whole milliseconds, database times are not.
    ...(to === null
      ? []
      : [sql`${id} < ${high} and o.created_at < ${to}::timestamptz + interval '1 millisecond'`]),
    ...(ids === null ? [] : [sql`o.id = any(${ids}::bigint[])`]),
    ...(before === undefined ? [] : [sql`${id} < ${before}`]),
  ]
  return sql`(select ${id} as id from ${source}
    where ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)} order by 1 desc limit ${most})`
}

const orderMatchesTerms = ({ tracking, reference }: SearchTerms): RawBuilder<unknown> =>
  sql`(starts_with(lower(o.order_ref), ${reference}) or right(o.tracking_number, ${tracking?.length ?? 0}) = ${tracking})`

/**
 * Words that many entries of the user have. The planner takes `<> 0` for almost always true; it
 * otherwise counts the user twice, in the words and beside them, and reads and sorts all entries
 * instead of reading from the newest one.
 */
const entryMatchesWords = (userId: number, { words }: SearchTerms): RawBuilder<unknown> =>
  sql`(e.search_words @@ ${tsQueryFor(userId, words)}::tsquery)::int <> 0`
