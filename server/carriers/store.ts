import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { arrayOf } from '#server/platform/database/array-of.ts'
import { afterCommit } from '#server/platform/database/database.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { addWitness } from '#server/platform/fail-over/witnesses.ts'
import type { CarrierService, PurchaseResult, CarrierVoidResult } from './port.ts'

/** One request to purchase or void; `fence` distinguishes it from other attempts for the order. */
export type CarrierCall = { orderId: number; round: number; attempt: number; fence: number }

/** Records calls before they are sent, in a committed transaction: evidence that survives a crash. */
export async function insertVoidCalls(
  tx: Tx,
  account: string,
  calls: CarrierCall[],
): Promise<void> {
  if (calls.length === 0) return
  await sql`insert into carrier_call (order_id, round, attempt, fence, act, account)
    select t.*, 'void', ${account}
      from unnest(${calls.map(call => call.orderId)}::bigint[], ${calls.map(call => call.round)}::int[],
        ${calls.map(call => call.attempt)}::int[], ${calls.map(call => call.fence)}::int[]) as t`.execute(
    tx,
  )
  rememberCalls(tx, calls)
}

/** A row of `open_carrier_call` that has ended. `startedAt`: as the database writes it, with microseconds. */
export type EndedCall = CarrierCall & { account: string; startedAt: string }

/** The answer to an ended call; null if none came before the end of its lease. */
export type PurchaseCallEnd = { call: EndedCall; outcome: PurchaseResult | null }

/** Records purchases that were asked for, in the transaction that deletes their rows of `open_carrier_call`. */
export async function insertEndedCalls(tx: Tx, ends: PurchaseCallEnd[]): Promise<void> {
  if (ends.length === 0) return
  const calls = ends.map(({ call }) => call)
  const results = ends.map(({ outcome }) => outcome && resultOf(outcome))
  await sql`
    insert into carrier_call (order_id, round, attempt, fence, account, started_at, outcome, code, message, finished_at)
      select c.*, case when c.outcome is not null then clock_timestamp() end
        from unnest(${bigints(calls.map(call => call.orderId))}, ${ints(calls.map(call => call.round))},
          ${ints(calls.map(call => call.attempt))}, ${ints(calls.map(call => call.fence))}, ${texts(calls.map(call => call.account))},
          ${texts(calls.map(call => call.startedAt))}::timestamptz[], ${texts(results.map(one => one?.outcome ?? null))},
          ${texts(results.map(one => one?.code ?? null))}, ${texts(results.map(one => one?.message ?? null))})
          as c (order_id, round, attempt, fence, account, started_at, outcome, code, message)`.execute(
    tx,
  )
}

const bigints = (values: number[]) => arrayOf('bigint', values)
const ints = (values: number[]) => arrayOf('int', values)
const texts = (values: (string | null)[]) => arrayOf('text', values)

const resultOf = (outcome: PurchaseResult | CarrierVoidResult) => ({
  outcome: 'kind' in outcome ? outcome.kind : 'bought',
  code: 'code' in outcome ? outcome.code : null,
  message: 'message' in outcome ? outcome.message : null,
})

/** Beyond what one process has in flight for two accounts. */
const REMEMBERED_CALLS = 2_000
const newestCalls = new WeakMap<Db, CarrierCall[]>()

/** Remembers calls that this process has recorded. A database without one of the newest is an older copy. */
export function rememberCalls(tx: Tx, calls: CarrierCall[]): void {
  afterCommit(tx, `carrier call ${calls[0]!.orderId}`, db => {
    const known = newestCalls.get(db) ?? []
    if (known.length === 0) addWitness(db, there => areCallsRecorded(there, newestCalls.get(db)!))
    newestCalls.set(db, [...known, ...calls].slice(-REMEMBERED_CALLS))
  })
}

async function areCallsRecorded(db: Db, calls: CarrierCall[]): Promise<boolean> {
  const { rows } = await sql<{ found: number }>`
    with known as materialized (
      select * from unnest(${calls.map(call => call.orderId)}::bigint[], ${calls.map(call => call.fence)}::int[]) as k (order_id, fence))
    select count(*) as found from (
      select order_id, fence from known join carrier_call using (order_id, fence)
      union
      select order_id, fence from known join open_carrier_call using (order_id, fence)) recorded`.execute(
    db,
  )
  return rows[0]!.found === calls.length
}

const MONTH_MS = 31 * 24 * 3600_000

/**
 * Other months of calls are not read. As values of the process, which its plan is made for: with the database's clock all months
 * are planned each time (7 ms with 66 of them instead of 0.7).
 */
const callPeriod = () =>
  sql<boolean>`c.started_at > ${new Date(Date.now() - MONTH_MS)} and c.started_at < ${new Date(Date.now() + MONTH_MS)}`

type CallAnswer = { orderId: number; fence: number; outcome: PurchaseResult | CarrierVoidResult }

/** Records the results of calls in `carrier_call`: of voids, and of purchases whose lease has ended before. */
export async function closeCarrierCalls(tx: Tx, answers: CallAnswer[]): Promise<void> {
  if (answers.length === 0) return
  const closed = await closeCallsWithin(tx, answers, callPeriod())
  // The clock of this machine may be wrong by years, and a sale without its record could be ended by hand as not sold.
  if (closed < answers.length) await closeCallsWithin(tx, answers, sql<boolean>`true`)
}

async function closeCallsWithin(
  tx: Tx,
  answers: CallAnswer[],
  period: RawBuilder<boolean>,
): Promise<number> {
  const results = answers.map(({ outcome }) => resultOf(outcome))
  const { numAffectedRows } = await sql`
    update carrier_call c set finished_at = clock_timestamp(), outcome = a.outcome, code = a.code, message = a.message
      from unnest(${bigints(answers.map(a => a.orderId))}, ${ints(answers.map(a => a.fence))}, ${texts(results.map(one => one.outcome))},
        ${texts(results.map(one => one.code))}, ${texts(results.map(one => one.message))}) as a (order_id, fence, outcome, code, message)
      where c.order_id = a.order_id and c.fence = a.fence and c.finished_at is null and ${period}`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0n)
}

export async function upsertRawServices(tx: Tx, services: CarrierService[]): Promise<void> {
  await sql`insert into raw_service (uid, name, category, max_weight)
    select * from unnest(${services.map(s => s.uid)}::text[], ${services.map(s => s.name)}::text[],
      ${services.map(s => s.category)}::text[], ${services.map(s => s.maxWeight)}::int[])
    on conflict (uid) do update
      set name = excluded.name, category = excluded.category, max_weight = excluded.max_weight, last_offered_at = now()`.execute(
    tx,
  )
  await tx
    .deleteFrom('raw_service')
    .where(
      'uid',
      'not in',
      services.map(s => s.uid),
    )
    .execute()
}

export async function selectRawServices(db: Db): Promise<CarrierService[]> {
  const rows = await db.selectFrom('raw_service').selectAll().orderBy('uid').execute()
  return rows.map(row => ({
    uid: row.uid,
    name: row.name,
    category: row.category,
    maxWeight: row.max_weight,
  }))
}
