/**
 * Reading the audit. Every way of narrowing it walks an index from the newest line back, and no further than is asked for: of a
 * million lines a page takes milliseconds.
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { AuditAction } from '#contract/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { IdRange } from '#server/platform/database/id-range.ts'

/** A stretch of time, both ends inside, and the numbers of the lines in which it lies. Null: no end. */
export type AuditSpan = IdRange & { from: Date | null; to: Date | null }

export type AuditFilter = {
  actions: readonly AuditAction[] | null
  userId: number | null
  span: AuditSpan
}

/** Who a user is, or was: a deleted one goes by the name 'Deleted user'. */
export type UserRef = { id: number; name: string; email: string }

export type AuditRecord = {
  id: number
  at: Date
  action: string
  detail: Record<string, unknown>
  actor: UserRef | null
  subject: UserRef | null
}

/** A page of lines, newest first, with who did it to whom. */
export async function selectAuditEntries(
  db: Db,
  filter: AuditFilter,
  offset: number,
  limit: number,
): Promise<AuditRecord[]> {
  const { rows } = await sql<AuditRecord>`
    select e.id, e.at, e.action, e.detail,
           case when a.id is not null then json_build_object('id', a.id, 'name', a.name, 'email', a.email) end as actor,
           case when s.id is not null then json_build_object('id', s.id, 'name', s.name, 'email', s.email) end as subject
      from (select id from (${newestIds(filter, offset + limit)}) found order by id desc limit ${limit} offset ${offset}) page
      join audit_entry e on e.id = page.id
      left join app_user a on a.id = e.actor_id
      left join app_user s on s.id = e.subject_id
      order by e.id desc`.execute(db)
  return rows
}

/** How many lines there are, counted up to `most`. */
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

/** The numbers of what is looked for: of each way in the newest `most`. Walked as one, they would be sorted whole. */
function newestIds({ actions, userId, span }: AuditFilter, most: number): RawBuilder<unknown> {
  const walks = indexConditions(actions, userId).map(way => scanIndex(way, span, most))
  // What a user did to himself is met from both sides.
  return sql.join(walks, userId === null ? sql` union all ` : sql` union `)
}

/** A column of an index, and the value that is looked for in it. */
type IndexCondition = [column: RawBuilder<unknown>, value: RawBuilder<unknown>][]

/** What was done by a user and to him, or by anybody; of a kind, or anything: each is an index that ends with the number. */
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
 * One way, from its end back. Rows are compared as a whole and not column by column: then only the way's own index gives the order
 * that is asked for, and the database cannot choose to read all lines of a month to find the few of a kind (540 ms instead of 10).
 */
function scanIndex(
  way: IndexCondition,
  { from, to, low, high }: AuditSpan,
  most: number,
): RawBuilder<unknown> {
  const columns = way.map(([column]) => column)
  const values = way.map(([, value]) => value)
  const row = sql`(${sql.join([...columns, sql`id`])})`
  const end = (id: number) => sql`(${sql.join([...values, sql`${id}::bigint`])})`
  const inside = sql.join(
    [sql``, ...(from ? [sql`at >= ${from}`] : []), ...(to ? [sql`at <= ${to}`] : [])],
    sql` and `,
  )
  const order = sql.join([...columns, sql`id`].map(column => sql`${column} desc`))
  return sql`(select id from audit_entry
    where ${row} >= ${end(low ?? 0)} and ${row} < ${end(high ?? Number.MAX_SAFE_INTEGER)} ${inside} order by ${order} limit ${most})`
}
