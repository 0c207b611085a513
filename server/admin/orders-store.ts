/** Labels of all users, and what is written down about one of them. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { FileKind } from '#contract/orders.ts'
import { keys } from '#server/ledger/rules.ts'
import { findOrders } from '#server/orders/store.ts'
import type { OrderRecord } from '#server/orders/store.ts'
import type { Db } from '#server/platform/database.ts'
import type { Sought, Wanted } from './order-filter.ts'
import type { CallRow, MoveRow, Party } from './story.ts'

/** A label as administrators see it: whose it is, and what the carrier took for it. */
export type FoundOrder = { order: OrderRecord, user: Party, cost: Cents | null }

/** `before`: only numbers below it. */
export type Slice = { before?: number, offset?: number, limit: number }

/** Numbers of the labels that are wanted, newest first. */
export async function selectOrderIds(db: Db, wanted: Wanted, { before, offset = 0, limit }: Slice): Promise<number[]> {
  const conditions = [...conditionsOf(wanted), ...before === undefined ? [] : [sql`o.id < ${before}`]]
  const { rows } = await sql<{ id: number }>`select o.id from shipment_order o ${where(conditions)}
    order by o.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map(row => row.id)
}

/** How many labels are wanted; no further than `most`. */
export async function countOrders(db: Db, wanted: Wanted, most: number): Promise<number> {
  const { rows: [counted] } = await sql<{ n: number }>`
    select count(*) as n from (select 1 from shipment_order o ${where(conditionsOf(wanted))} limit ${most}) found`.execute(db)
  return counted!.n
}

/** How many labels there are. */
export async function countAllOrders(db: Db): Promise<number> {
  const { rows: [counted] } = await sql<{ n: number }>`select count(*) as n from shipment_order`.execute(db)
  return counted!.n
}

const where = (conditions: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`

function conditionsOf({ sought, states, userId, batchId, from, to }: Wanted): RawBuilder<unknown>[] {
  return [
    ...userId === null ? [] : [sql`o.user_id = ${userId}`],
    ...batchId === null ? [] : [sql`o.batch_id = ${batchId}`],
    // As literals: only so does the planner see that an index of few states will do.
    ...states === null ? [] : [states.length === 0 ? sql`false` : sql`o.state in (${sql.join(states.map(state => sql.lit(state)))})`],
    ...from === null ? [] : [sql`o.created_at >= ${from}`],
    // The wire's moments are whole milliseconds, the database's are not.
    ...to === null ? [] : [sql`o.created_at < ${to}::timestamptz + interval '1 millisecond'`],
    ...sought === null ? [] : [matches(sought, userId !== null)],
  ]
}

function matches({ id, tracking, text }: Sought, withNames: boolean): RawBuilder<unknown> {
  const beginning = `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql`(${sql.join([
    ...id === null ? [] : [sql`o.id = ${id}`],
    ...tracking === null ? [] : [sql`reverse(o.tracking_number) like reverse(${tracking}) || '%'`],
    sql`lower(o.order_ref) like ${beginning}`,
    ...withNames ? ['receiver', 'sender'].map(side => sql`lower(o.${sql.ref(side)} ->> 'name') like ${`%${beginning}`}`) : [],
  ], sql` or `)})`
}

/** Labels by their numbers, in the same order. */
export async function selectFound(db: Db, ids: number[]): Promise<FoundOrder[]> {
  const [orders, backs] = await Promise.all([findOrders(db, ids), sql<{ id: number, cost: number | null, user: Party }>`
    select o.id, o.cost_cents as cost, json_build_object('id', u.id, 'name', u.name, 'email', u.email) as user
      from shipment_order o join app_user u on u.id = o.user_id where o.id = any(${ids}::bigint[])`.execute(db)])
  const order = new Map(orders.map(one => [one.id, one]))
  const back = new Map(backs.rows.map(one => [one.id, one]))
  return ids.flatMap(id => {
    const [one, { cost = null, user } = {}] = [order.get(id), back.get(id)]
    return one && user ? [{ order: one, user, cost: cost === null ? null : cents(cost) }] : []
  })
}

export async function selectCalls(db: Db, orderId: number): Promise<CallRow[]> {
  return db.selectFrom('carrier_call')
    .select(['act', 'round', 'started_at as startedAt', 'finished_at as finishedAt', 'outcome', 'code', 'message'])
    .where('order_id', '=', orderId).orderBy('id').execute()
}

/** Transfers about a label, and all holds of its bulk order, in the order in which they were written; found by their keys. */
export async function selectMoves(db: Db, { id, userId, batchId, round }: OrderRecord, submissions: number): Promise<MoveRow[]> {
  const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1)
  const about = [
    ...upTo(round).flatMap(one => [keys.capture(id, one), keys.release(id, one), ...batchId === null ? [keys.holdOrder(id, one)] : []]),
    ...batchId === null ? [] : upTo(submissions).map(one => keys.holdBatch(batchId, one)), keys.refund(id),
  ]
  const rows = await db.selectFrom('transfer')
    .select(['id', 'kind', 'cents', 'created_at as at', 'round', 'reason'])
    .where('owner_id', '=', userId).where('key', '=', sql<string>`any(${about}::text[])`).orderBy('id').execute()
  return rows.map(row => ({ ...row, cents: cents(row.cents) }))
}

/** What else is known about a label: its bulk order, where it went from there, and who wanted it voided. */
export type Surroundings = {
  submissions: number, files: { kind: FileKind, at: Date }[], replacedAt: Date | null, unknownSince: Date | null, askedAt: Date | null,
  askedBy: Party | null
}

export async function selectSurroundings(db: Db, orderId: number): Promise<Surroundings> {
  const { rows: [row] } = await sql<Omit<Surroundings, 'files'> & { batchId: number | null }>`
    select o.batch_id as "batchId", coalesce(b.submission, 0) as submissions, r.accepted_at as "replacedAt",
        case when o.state = 'unknown' then o.unknown_since end as "unknownSince", o.void_requested_at as "askedAt",
        case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "askedBy"
      from shipment_order o
      left join batch b on b.id = o.batch_id
      left join batch r on r.id = o.replaced_by
      left join app_user u on u.id = o.void_requested_by
      where o.id = ${orderId}`.execute(db)
  const { batchId, ...around } = row!
  const files = batchId === null ? []
    : await db.selectFrom('label_file').select(['kind', 'created_at as at']).where('batch_id', '=', batchId).execute()
  return { ...around, files }
}
