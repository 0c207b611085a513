/**
 * Reads the audit. Every filter scans an index from the newest entry back, no further than the
 * page: among a million entries a page takes milliseconds.
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { AuditAction } from '#contract/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { IdRange } from '#server/platform/database/id-range.ts'
import type { UserRef } from './rules.ts'

/** A period, inclusive, and the range of ids that contains it. Null: open. */
export type AuditSpan = IdRange & { from: Date | null; to: Date | null }

export type AuditFilter = {
  actions: readonly AuditAction[] | null
  userId: number | null
  /** Entries with one of these users or of these actions. Null: no search. */
  search: AuditSearch | null
  span: AuditSpan
}
export type AuditSearch = { userIds: readonly number[]; actions: readonly AuditAction[] }

export type AuditRecord = {
  id: number
  at: Date
  action: string
  detail: Record<string, unknown>
  actor: UserRef | null
  subject: UserRef | null
}

/** Newest first. */
export async function selectAuditIds(
  db: Db,
  filter: AuditFilter,
  offset: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] }>`
    select array(select id from (${newestIds(filter, offset + limit)}) found
      order by id desc limit ${limit} offset ${offset}) as ids`.execute(db)
  return rows[0]!.ids
}

/** Newest first. */
export async function selectAuditEntries(db: Db, ids: readonly number[]): Promise<AuditRecord[]> {
  const { rows } = await sql<AuditRecord>`
    select e.id, e.created_at as at, e.action, e.detail,
           case when a.id is not null then json_build_object('id', a.id, 'name', a.name, 'email', a.email) end as actor,
           case when s.id is not null then json_build_object('id', s.id, 'name', s.name, 'email', s.email) end as subject
      from audit_entry e
      left join app_user a on a.id = e.actor_id
      left join app_user s on s.id = e.subject_id
      where e.id = any(${ids}::bigint[])
      order by e.id desc`.execute(db)
  return rows
}

/** Actor, subject and action: an entry is found by each of them. */
const MAX_FINDS_OF_ENTRY = 3

/** Counts up to `most`. */
export async function countAuditEntries(
  db: Db,
  filter: AuditFilter,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(distinct id) as total
      from (select id from (${unionOfScans(filter, most)}) found limit ${MAX_FINDS_OF_ENTRY * most}) counted`.execute(
    db,
  )
  return Math.min(rows[0]!.total, most)
}

/** Ids of the newest `most` entries of each index condition, each id once. */
const newestIds = (filter: AuditFilter, most: number): RawBuilder<unknown> =>
  filter.userId === null && filter.search === null
    ? unionOfScans(filter, most)
    : sql`select distinct id from (${unionOfScans(filter, most)}) each_find`

/** One combined scan would sort all matches. An entry may be found several times. */
function unionOfScans(filter: AuditFilter, most: number): RawBuilder<unknown> {
  const scans = indexConditions(filter).map(condition => scanIndex(condition, filter.span, most))
  return scans.length === 0
    ? sql`select 0::bigint as id where false`
    : sql.join(scans, sql` union all `)
}

/** Index columns and the values of each, of which every combination is scanned. */
type IndexCondition = [
  column: RawBuilder<unknown>,
  values: readonly (number | string)[],
  type: RawBuilder<unknown>,
][]

/**
 * One condition per index to scan: by actor and by subject, with or without actions. Each index
 * ends with the id. A search finds entries by their action, and without `userId` by their users.
 */
function indexConditions({ actions, userId, search }: AuditFilter): IndexCondition[] {
  if (search === null) return sidesOf(userId === null ? null : [userId], actions)
  const found = search.actions.filter(action => actions === null || actions.includes(action))
  return [
    ...sidesOf(userId === null ? null : [userId], found),
    ...(userId === null ? sidesOf(search.userIds, actions) : []),
  ]
}

/** Null: any user, any action. Nothing is scanned for an empty list. */
function sidesOf(
  userIds: readonly number[] | null,
  actions: readonly AuditAction[] | null,
): IndexCondition[] {
  if (userIds?.length === 0 || actions?.length === 0) return []
  const ofAction: IndexCondition = actions === null ? [] : [[sql`action`, actions, sql`text`]]
  const sides: IndexCondition[] =
    userIds === null
      ? [[]]
      : [sql`actor_id`, sql`subject_id`].map(column => [[column, userIds, sql`bigint`]])
  return sides.map(side => [...side, ...ofAction])
}

/**
 * Scans one index from its end, once for each combination of values. Comparing whole rows makes
 * this index the only one with the requested order; otherwise PostgreSQL may read all entries of a
 * month to find the few of a kind (540 ms instead of 10).
 */
function scanIndex(
  condition: IndexCondition,
  { from, to, low, high }: AuditSpan,
  most: number,
): RawBuilder<unknown> {
  const columns = condition.map(([column]) => column)
  const wanted = condition.map((_, at) => sql`${sql.ref(`wanted_${at}.value`)}`)
  const row = sql`(${sql.join([...columns, sql`id`])})`
  const end = (id: number) => sql`(${sql.join([...wanted, sql`${id}::bigint`])})`
  const inside = sql.join(
    [
      sql``,
      ...(from ? [sql`created_at >= ${from}`] : []),
      ...(to ? [sql`created_at <= ${to}`] : []),
    ],
    sql` and `,
  )
  const order = sql.join([...columns, sql`id`].map(column => sql`${column} desc`))
  const newest = sql`(select id from audit_entry
    where ${row} >= ${end(low ?? 0)} and ${row} < ${end(high ?? Number.MAX_SAFE_INTEGER)} ${inside} order by ${order} limit ${most})`
  if (condition.length === 0) return newest
  const lists = condition.map(
    ([, values, type], at) => sql`unnest(${values}::${type}[]) ${sql.ref(`wanted_${at}`)} (value)`,
  )
  return sql`(select newest.id from ${sql.join(lists, sql` cross join `)} cross join lateral ${newest} newest)`
}
