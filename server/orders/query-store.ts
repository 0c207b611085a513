/**
 * Filtered labels of one user or of all. Each source is scanned from the newest label back, and only as far as needed, so that a page of
 * a million labels takes milliseconds (docs/decisions/0021-list-entries-beside-orders.md).
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { COUNT_LIMIT } from '#contract/endpoint.ts'
import { ORDER_STATES } from '#contract/orders.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { Db } from '#server/platform/database/database.ts'
import { idRangeForPeriod } from '#server/platform/database/id-range.ts'
import type { IdRange } from '#server/platform/database/id-range.ts'
import { CUSTOM_PLAN } from '#server/platform/database/prepared-statements.ts'
import { selectMatching } from './lists-store.ts'
import type { Matches, OrderIdPage, PageRange } from './lists-store.ts'
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
  service: string | null
  from: Date | null
  to: Date | null
}

/**
 * `ids`: matches of a search; null without one, or with `tooMany` matches, `counted` or more, which are filtered in
 * the scan. `low`, `high`: ids of the time range.
 */
export type QueryPlan = IdRange & {
  query: OrderQuery
  ids: number[] | null
  tooMany: boolean
  counted: number
}

export async function planQuery(db: Db, query: OrderQuery, most: number): Promise<QueryPlan> {
  const { terms, userId } = query
  const matches =
    terms
    && (await (userId === null
      ? selectMatchingOfAllUsers(db, terms, most)
      : selectMatching(db, userId, terms, most)))
  return planQueryWithin(db, query, matches)
}

/** `matches`: of the search, null without one. */
export async function planQueryWithin(
  db: Db,
  query: OrderQuery,
  matches: Matches | null,
): Promise<QueryPlan> {
  const { from, to } = query
  return {
    query,
    ids: matches?.ids ?? null,
    tooMany: matches?.ids === null,
    counted: matches?.counted ?? 0,
    ...(await idRangeForPeriod(
      db,
      { table: 'shipment_order', timeColumn: 'created_at' },
      from,
      to,
    )),
  }
}

/** By id, end of the tracking number, beginning of the reference. */
async function selectMatchingOfAllUsers(
  db: Db,
  { id, tracking, reference }: SearchTerms,
  most: number,
): Promise<Matches> {
  const [end, endsBefore] = tracking === null ? [null, null] : prefixRange(reverseText(tracking))
  const [first, firstAfter] = prefixRange(reference)
  const { rows } = await sql<{ ids: number[] | null }>`
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
  const { ids } = rows[0]!
  return { ids, counted: ids?.length ?? most }
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
    select id from (${unionOf(scansOf(plan, offset + limit, { before }))}) found order by id desc offset ${offset} limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/**
 * Labels that are read for a count where each row must be read: beside words or a parcel's status. A frequent word beside a rare filter
 * would otherwise read all labels of a user, which may be millions. Without a filter by state, of each state: nearly all are purchased.
 */
const READ_FOR_COUNT = 4_000

/** Counts up to 10,000; fewer where each label is read. `more`: counting stopped, so that there may be more. */
export async function countMatches(
  db: Db,
  plan: QueryPlan,
): Promise<{ total: number; more: boolean }> {
  const {
    query: { states, parcels, batchId, service, from, to },
    tooMany,
  } = plan
  if (tooMany && [states, parcels, batchId, service, from, to].every(part => part === null))
    return { total: plan.counted, more: true }
  const most = COUNT_LIMIT + 1
  const isBounded = (tooMany || parcels !== null) && batchId === null && plan.ids === null
  const readAtMost = Math.ceil(READ_FOR_COUNT / Math.max(1, (parcels ?? states ?? []).length))
  const scans = scansOf(plan, most, isBounded ? { readAtMost } : {})
  const read = isBounded ? scans.map(({ source }) => sql`(select count(*) from ${source})`) : []
  const { rows } = await sql<{ matches: number; read: number }>`${sql.raw(CUSTOM_PLAN)}
    select count(*) as matches, ${read.length === 0 ? sql`0` : sql`greatest(${sql.join(read)})`}::int as read
      from (select 1 from (${unionOf(scans)}) found limit ${most}) counted`.execute(db)
  const { matches, read: readRows } = rows[0]!
  return {
    total: Math.min(matches, COUNT_LIMIT),
    more: matches > COUNT_LIMIT || readRows >= readAtMost,
  }
}

/** A page of ids, newest first, and their count. */
export async function selectCountedPage(
  db: Db,
  plan: QueryPlan,
  page: PageRange,
): Promise<OrderIdPage> {
  const [ids, { total, more }] = await Promise.all([
    selectIds(db, plan, page),
    countMatches(db, plan),
  ])
  return { ids, total: totalBeside(ids, page, total), more }
}

/** `counted`, or more where the page goes beyond what was counted. */
export const totalBeside = (
  ids: readonly number[],
  { offset }: PageRange,
  counted: number,
): number =>
  ids.length === 0 ? counted : Math.max(counted, Math.min(COUNT_LIMIT, offset + ids.length))

const BOUGHT: readonly OrderState[] = ['purchased', 'voiding']

/** A select of ids, newest first, and the rows that it reads. */
type Scan = { ids: RawBuilder<unknown>; source: RawBuilder<unknown> }

/** `before`: only ids below it. `readAtMost`: the newest rows that are compared with the search. */
type ScanBounds = { before?: number | undefined; readAtMost?: number }

const unionOf = (scans: readonly Scan[]): RawBuilder<unknown> =>
  scans.length === 0
    ? sql`select 0::bigint as id where false`
    : sql.join(
        scans.map(({ ids }) => ids),
        sql` union all `,
      )

/**
 * One scan per state or parcel status: most have their own index, which a scan of several could not
 * use. List entries have no such index, so one scan reads them for all.
 */
function scansOf(plan: QueryPlan, most: number, bounds: ScanBounds): Scan[] {
  const { parcels } = plan.query
  if (parcels !== null) return parcels.map(parcel => scanParcels(plan, parcel, most, bounds))
  if (readsWordsFirst(plan)) return [scanEntries(plan, most, bounds)]
  return (scannedStates(plan) ?? [null]).map(state => scanLabels(plan, state, most, bounds))
}

/** All states where one user's labels are scanned: each has an index, and none has them all. Null: one scan of any. */
const scannedStates = ({ query: { states, userId, batchId }, ids }: QueryPlan) =>
  states ?? (userId !== null && batchId === null && ids === null ? ORDER_STATES : null)

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
const ENTRY_OF_PARCEL = sql`cross join lateral
  (select search_words from order_list_entry where user_id = p.user_id and order_id = p.order_id offset 0) e`

function scanLabels(
  plan: QueryPlan,
  state: OrderState | null,
  most: number,
  bounds: ScanBounds,
): Scan {
  const {
    query: { userId, terms, service, batchId },
    ids,
    tooMany,
  } = plan
  const byWords = tooMany && userId !== null
  return scanSource(plan, most, bounds, {
    table: sql`shipment_order`,
    alias: sql`o`,
    id: sql`o.id`,
    own: [
      ...(userId === null ? [] : [sql`o.user_id = ${userId}`]),
      ...(state === null ? [] : [isInState([state])]),
      // For the planner, which does not conclude it from the state: the indexes of bought labels have this condition.
      ...(state === 'purchased' && userId !== null ? [sql`o.tracking_number is not null`] : []),
      ...(batchId === null ? [] : [sql`o.batch_id = ${batchId}`]),
      ...(service === null ? [] : [sql`o.service_uid = ${service}`]),
      ...(ids === null ? [] : [sql`o.id = any(${ids}::bigint[])`]),
    ],
    joins: byWords ? ENTRY_OF_ORDER : sql``,
    others: [
      ...(byWords ? [entryMatchesWords(userId, terms!)] : []),
      ...(tooMany && userId === null ? [orderMatchesTerms(terms!)] : []),
    ],
  })
}

function scanEntries(plan: QueryPlan, most: number, bounds: ScanBounds): Scan {
  const { userId, terms, states } = plan.query
  return scanSource(plan, most, bounds, {
    table: sql`order_list_entry`,
    alias: sql`e`,
    id: sql`e.order_id`,
    own: [sql`e.user_id = ${userId}`],
    joins: ORDER_OF_ENTRY,
    others: [entryMatchesWords(userId!, terms!), ...(states === null ? [] : [isInState(states)])],
  })
}

function scanParcels(
  plan: QueryPlan,
  parcel: TrackingStatus,
  most: number,
  bounds: ScanBounds,
): Scan {
  const {
    query: { userId, terms, batchId, states, service },
    ids,
    tooMany,
  } = plan
  const byWords = tooMany && userId !== null
  const order =
    batchId === null && ids === null
      ? ORDER_OF_PARCEL
      : sql`join shipment_order o on o.id = p.order_id`
  return scanSource(plan, most, bounds, {
    table: sql`parcel_tracking`,
    alias: sql`p`,
    id: sql`p.order_id`,
    own: [sql`p.status = ${parcel}`, ...(userId === null ? [] : [sql`p.user_id = ${userId}`])],
    joins: sql`${byWords ? ENTRY_OF_PARCEL : sql``} ${order}`,
    others: [
      sql`o.state = any(${BOUGHT.filter(state => states?.includes(state) ?? true)}::text[])`,
      ...(byWords ? [entryMatchesWords(userId, terms!)] : []),
      ...(tooMany && userId === null ? [orderMatchesTerms(terms!)] : []),
      ...(batchId === null ? [] : [sql`o.batch_id = ${batchId}`]),
      ...(service === null ? [] : [sql`o.service_uid = ${service}`]),
      ...(ids === null ? [] : [sql`o.id = any(${ids}::bigint[])`]),
    ],
  })
}

/** As literals: otherwise the planner does not use the index of a state. */
const isInState = (states: readonly OrderState[]): RawBuilder<unknown> =>
  sql`o.state in (${sql.join(
    states.map(state => sql.lit(state)),
    sql`, `,
  )})`

/** `id`: the order's id in the table that is scanned. `own`: conditions on that table alone; `others`: on what is joined to it. */
type ScanParts = {
  table: RawBuilder<unknown>
  alias: RawBuilder<unknown>
  id: RawBuilder<unknown>
  own: RawBuilder<unknown>[]
  joins: RawBuilder<unknown>
  others: RawBuilder<unknown>[]
}

function scanSource(
  { query: { from, to }, low, high }: QueryPlan,
  most: number,
  { before, readAtMost }: ScanBounds,
  { table, alias, id, own, joins, others }: ScanParts,
): Scan {
  const inside = [
    ...own,
    ...(from === null ? [] : [sql`${id} >= ${low}`]),
    ...(to === null ? [] : [sql`${id} < ${high}`]),
    ...(before === undefined ? [] : [sql`${id} < ${before}`]),
  ]
  const exact = [
    ...others,
    ...(from === null ? [] : [sql`o.created_at >= ${from}`]),
    // API times are whole milliseconds, database times are not.
    ...(to === null ? [] : [sql`o.created_at < ${to}::timestamptz + interval '1 millisecond'`]),
  ]
  const newest = sql`(select ${alias}.* from ${table} ${alias} where ${allOf(inside)} order by ${id} desc limit ${readAtMost}) ${alias}`
  const [source, conditions] =
    readAtMost === undefined ? [sql`${table} ${alias}`, [...inside, ...exact]] : [newest, exact]
  const ids = sql`(select ${id} as id from ${source} ${joins} where ${allOf(conditions)} order by 1 desc limit ${most})`
  return { ids, source }
}

const allOf = (conditions: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)

const orderMatchesTerms = ({ tracking, reference }: SearchTerms): RawBuilder<unknown> =>
  sql`(starts_with(lower(o.order_ref), ${reference}) or right(o.tracking_number, ${tracking?.length ?? 0}) = ${tracking})`

/**
 * Words that many entries of the user have. The planner takes `<> 0` for almost always true; it
 * otherwise counts the user twice, in the words and beside them, and reads and sorts all entries
 * instead of reading from the newest one.
 */
const entryMatchesWords = (userId: number, { words }: SearchTerms): RawBuilder<unknown> =>
  sql`(e.search_words @@ ${tsQueryFor(userId, words)}::tsquery)::int <> 0`
