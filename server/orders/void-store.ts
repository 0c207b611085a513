import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Tx } from '#server/platform/database.ts'
import type { VoidVerdict } from './void-rules.ts'

/** A void in this process's hands until `run_after` comes again. `attempt`: how often the carrier has been asked, this time included. */
export type VoidClaim = {
  id: number, userId: number, batchId: number | null, round: number, attempt: number, fence: number, price: Cents, trackingNumber: string
}

export type VoidRequested = { id: number, userId: number }

/**
 * Asks for voids of those of the labels that are bought, in the order of their numbers; due at once. `actorId` null: nobody who is
 * remembered. Returns the labels it changed.
 */
export async function requestVoids(tx: Tx, ids: number[], actorId: number | null): Promise<VoidRequested[]> {
  const { rows } = await sql<VoidRequested>`
    with good as materialized (
      select id from shipment_order where id = any(${ids}::bigint[]) and state = 'purchased' order by id for update)
    update shipment_order o
      set state = 'voiding', void_requested_at = clock_timestamp(), void_requested_by = ${actorId}, void_attempt = 0, void_reason = null,
          run_after = clock_timestamp()
      from good where o.id = good.id
      returning o.id, o.user_id as "userId"`.execute(tx)
  return rows
}

/** Takes voids that are due, of any labels or of some. The fence keeps two processes from settling the same one. */
export const claimVoids = (tx: Tx, limit: number, leaseMs: number, among?: number[]): Promise<VoidClaim[]> =>
  claim(tx, leaseMs, sql`
    select id from shipment_order
      where state = 'voiding' and run_after <= clock_timestamp() ${among ? sql`and id = any(${among}::bigint[])` : sql``}
      order by run_after limit ${limit} for update skip locked`)

/** Takes one void, due or not, also out of the hands of whoever is asking about it: an answer too many settles nothing. */
export const claimVoidNow = (tx: Tx, id: number, leaseMs: number): Promise<VoidClaim[]> =>
  claim(tx, leaseMs, sql`select id from shipment_order where id = ${id} and state = 'voiding' for update`)

async function claim(tx: Tx, leaseMs: number, which: RawBuilder<unknown>): Promise<VoidClaim[]> {
  const { rows } = await sql<VoidClaim>`
    with due as materialized (${which})
    update shipment_order o
      set fence = o.fence + 1, void_attempt = o.void_attempt + 1, run_after = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      from due where o.id = due.id
      returning o.id, o.user_id as "userId", o.batch_id as "batchId", o.round, o.void_attempt as attempt, o.fence, o.price_cents as price,
        o.tracking_number as "trackingNumber"`.execute(tx)
  return rows.map(row => ({ ...row, price: cents(row.price) }))
}

export type JudgedVoid = { claim: Pick<VoidClaim, 'id' | 'fence'>, verdict: VoidVerdict }

/**
 * Writes what became of voids, where the fence still is the claim's: one that was taken over changes nothing. Rows are locked in
 * the order of their numbers. Returns the numbers of those that were changed.
 */
export async function writeVoidVerdicts(tx: Tx, judged: JudgedVoid[]): Promise<Set<number>> {
  const each = <T>(pick: (verdict: VoidVerdict) => T) => judged.map(one => pick(one.verdict))
  const { rows } = await sql<{ id: number }>`
    with v as (
      select * from unnest(
        ${judged.map(j => j.claim.id)}::bigint[], ${judged.map(j => j.claim.fence)}::int[], ${each(v => v.state)}::text[],
        ${each(v => v.state === 'purchased' ? v.reason : null)}::text[], ${each(v => v.state === 'voiding' ? v.waitMs : 0)}::float8[])
        as v (id, fence, state, reason, wait_ms)
    ), mine as materialized (
      select o.id from shipment_order o where o.id = any(${judged.map(j => j.claim.id)}::bigint[]) and o.state = 'voiding'
        order by o.id for update
    )
    update shipment_order o
      set state = v.state, void_reason = v.reason, run_after = clock_timestamp() + v.wait_ms * interval '1 millisecond',
          voided_at = case when v.state = 'voided' then clock_timestamp() end
      from v join mine on mine.id = v.id
      where o.id = v.id and o.fence = v.fence and o.state = 'voiding'
      returning o.id`.execute(tx)
  return new Set(rows.map(row => row.id))
}
