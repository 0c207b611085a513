/**
 * Reading the audit. Every way of narrowing it walks an index from the newest line back, and no further than is asked for: of a
 * million lines a page takes milliseconds.
 */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { AuditAction } from '#contract/audit.ts'
import type { Db } from '#server/platform/database.ts'

/** A stretch of time, both ends inside, and the numbers of the lines in which it lies: `low` inside, `high` outside. Null: no end. */
export type Span = { from: Date | null, to: Date | null, low: number | null, high: number | null }

export type TrailFilter = { actions: readonly AuditAction[] | null, userId: number | null, span: Span }

/** Who a user is, or was: a deleted one goes by the name 'Deleted user'. */
export type Person = { id: number, name: string, email: string }

export type TrailEntry = {
  id: number, at: Date, action: string, detail: Record<string, unknown>, actor: Person | null, subject: Person | null
}

/** Lines are numbered when they are written and dated when their change began: a change takes less time than this. */
const SLACK_MS = 5 * 60_000

/** The numbers of a stretch of time. Numbers follow the clock, so its ends are found by halving instead of by an index of their own. */
export async function findSpan(db: Db, from: Date | null, to: Date | null): Promise<Span> {
  return {
    from, to,
    low: from && await firstSince(db, new Date(from.getTime() - SLACK_MS)),
    high: to && await firstSince(db, new Date(to.getTime() + SLACK_MS)),
  }
}

async function firstSince(db: Db, moment: Date): Promise<number> {
  const { rows: [found] } = await sql<{ id: number }>`
    with recursive halving (low, high) as (
      select coalesce(min(id), 1), coalesce(max(id), 0) + 1 from audit_entry
      union all
      select case when there.at < ${moment} then half.id + 1 else low end, case when there.at < ${moment} then high else half.id end
        from halving
        cross join lateral (select low + (high - low) / 2 as id) half
        left join lateral (select at from audit_entry where id >= half.id order by id limit 1) there on true
        where low < high)
    select low as id from halving where low = high`.execute(db)
  return found!.id
}

/** A page of lines, newest first, with who did it to whom. */
export async function selectTrail(db: Db, filter: TrailFilter, offset: number, limit: number): Promise<TrailEntry[]> {
  const { rows } = await sql<{
    id: number, at: Date, action: string, detail: Record<string, unknown>, actor: Person | null, subject: Person | null
  }>`
    select e.id, e.at, e.action, e.detail,
           case when a.id is not null then json_build_object('id', a.id, 'name', a.name, 'email', a.email) end as actor,
           case when s.id is not null then json_build_object('id', s.id, 'name', s.name, 'email', s.email) end as subject
      from (${newest(filter, offset, limit)}) page
      join audit_entry e on e.id = page.id
      left join app_user a on a.id = e.actor_id
      left join app_user s on s.id = e.subject_id
      order by e.id desc`.execute(db)
  return rows
}

/** How many lines there are, counted up to `most`. */
export async function countTrail(db: Db, filter: TrailFilter, most: number): Promise<number> {
  const { rows: [counted] } = await sql<{ total: number }>`select count(*) as total from (${newest(filter, 0, most)}) found`.execute(db)
  return counted!.total
}

/** Numbers of what is looked for, newest first. Each way in is walked by itself, as far as needed: together they would be sorted whole. */
function newest(filter: TrailFilter, offset: number, limit: number): RawBuilder<unknown> {
  const walk = (way: RawBuilder<unknown>) =>
    sql`(select id from audit_entry where ${way} and ${isInside(filter.span)} order by id desc limit ${offset + limit})`
  const walks = sql.join(waysIn(filter).map(walk), sql` union `)
  return sql`select id from (${walks}) found order by id desc limit ${limit} offset ${offset}`
}

function waysIn({ actions, userId }: TrailFilter): RawBuilder<unknown>[] {
  if (userId !== null) {
    const kind = actions === null ? sql`true` : sql`action = any(${[...actions]}::text[])`
    return [sql`actor_id = ${userId} and ${kind}`, sql`subject_id = ${userId} and ${kind}`]
  }
  return actions === null ? [sql`true`] : actions.map(action => sql`action = ${action}`)
}

const isInside = ({ from, to, low, high }: Span): RawBuilder<unknown> => sql.join([
  sql`true`,
  ...from === null ? [] : [sql`id >= ${low} and at >= ${from}`],
  ...to === null ? [] : [sql`id < ${high} and at <= ${to}`],
], sql` and `)
