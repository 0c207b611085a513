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
  span: AuditSpan
}

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
  const {
    rows: [found],
  } = await sql<{ ids: number[] }>`
    select array(select id from (${newestIds(filter, offset + limit)}) found
      order by id desc limit ${limit} offset ${offset}) as ids`.execute(db)
  return found!.ids
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

/** Counts up to `most`. */
export async function countAuditEntries(
  db: Db,
  filter: AuditFilter,
  most: number,
): Promise<number> {
  const {
    rows: [counted],
  } = await sql<{ total: number }>`
    select count(*) as total from (select id from (${newestIds(filter, most)}) found limit ${most}) counted`.execute(
    db,
  )
  return counted!.total
}

/**
 * Ids of the newest `most` entries of each index condition. One combined scan would sort all
 * matches.
 */
function newestIds({ actions, userId, span }: AuditFilter, most: number): RawBuilder<unknown> {
  const scans = indexConditions(actions, userId).map(condition => scanIndex(condition, span, most))
  // Entries with the user as actor and subject are found twice.
  return sql.join(scans, userId === null ? sql` union all ` : sql` union `)
}

/** Index columns and their values. */
type IndexCondition = [column: RawBuilder<unknown>, value: RawBuilder<unknown>][]

/**
 * One condition per index to scan: by actor and by subject, with or without an action. Each index
 * ends with the id.
 */
function indexConditions(
  actions: readonly AuditAction[] | null,
  userId: number | null,
): IndexCondition[] {
  const user = sql`${userId}::bigint`
  const sides: IndexCondition[] =
    userId === null ? [[]] : [[[sql`actor_id`, user]], [[sql`subject_id`, user]]]
  return actions === null
    ? sides
    : sides.flatMap(side =>
        actions.map((action): IndexCondition => [...side, [sql`action`, sql`${action}::text`]]),
      )
}

/**
 * Scans one index from its end. Comparing whole rows makes this index the only one with the
 * requested order; otherwise PostgreSQL may read all entries of a month to find the few of a kind
 * (540 ms instead of 10).
 */
function scanIndex(
  condition: IndexCondition,
  { from, to, low, high }: AuditSpan,
  most: number,
): RawBuilder<unknown> {
  const columns = condition.map(([column]) => column)
  const values = condition.map(([, value]) => value)
  const row = sql`(${sql.join([...columns, sql`id`])})`
  const end = (id: number) => sql`(${sql.join([...values, sql`${id}::bigint`])})`
  const inside = sql.join(
    [
      sql``,
      ...(from ? [sql`created_at >= ${from}`] : []),
      ...(to ? [sql`created_at <= ${to}`] : []),
    ],
    sql` and `,
  )
  const order = sql.join([...columns, sql`id`].map(column => sql`${column} desc`))
  return sql`(select id from audit_entry
    where ${row} >= ${end(low ?? 0)} and ${row} < ${end(high ?? Number.MAX_SAFE_INTEGER)} ${inside} order by ${order} limit ${most})`
}
