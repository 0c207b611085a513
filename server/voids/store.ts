import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { belongsToAccounts } from '#server/carriers/account-store.ts'
import type { CarrierAccountNames } from '#server/carriers/account-store.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { cancelAutoVoids, isUnseenByCarrier } from '#server/tracking/store.ts'
import type { VoidVerdict } from './rules.ts'

/**
 * A void in this process's hands until `run_after` comes again. `attempt`: how often the carrier has been asked, this time included.
 * `isAutomatic`: nobody asked for it; the label was not used.
 */
export type VoidClaim = {
  id: number
  userId: number
  batchId: number | null
  round: number
  attempt: number
  fence: number
  price: Cents
  trackingNumber: string
  isAutomatic: boolean
}

export type RequestedVoid = { id: number; userId: number }

/**
 * Who wants labels voided: somebody; the house, because they are not used; or the carrier, which says that they were voided before a
 * backup was restored.
 */
export type VoidRequester = { actorId: number } | 'house' | 'carrier'

/**
 * Asks for voids of those of the labels that are bought in this account, in the order of their numbers; due at once. Labels whose parcels
 * are under way stay as they are, unless it is the carrier that says so. Returns the labels it changed.
 */
export async function requestVoids(
  tx: Tx,
  accounts: CarrierAccountNames,
  ids: number[],
  wisher: VoidRequester,
): Promise<RequestedVoid[]> {
  const actorId = typeof wisher === 'object' ? wisher.actorId : null
  const { rows } = await sql<RequestedVoid>`
    with good as materialized (
      select id from shipment_order o where id = any(${ids}::bigint[]) and state = 'purchased'
        and ${belongsToAccounts(accounts)} ${wisher === 'carrier' ? sql`` : sql`and ${isUnseenByCarrier}`} order by id for update)
    update shipment_order o
      set state = 'voiding', void_requested_at = clock_timestamp(), void_requested_by = ${actorId}, void_attempt = 0, void_reason = null,
          void_submitted_at = null, void_is_automatic = ${wisher === 'house'}, run_after = clock_timestamp()
      from good where o.id = good.id
      returning o.id, o.user_id as "userId"`.execute(tx)
  await cancelAutoVoids(
    tx,
    rows.map(row => row.id),
  )
  return rows
}

/** Labels of a batch that are bought in this account and whose parcels nobody has seen. */
export async function selectUnusedInBatch(
  db: Db,
  accounts: CarrierAccountNames,
  batchId: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id from shipment_order o
      where o.batch_id = ${batchId} and o.state = 'purchased' and ${isUnseenByCarrier} and ${belongsToAccounts(accounts)}`.execute(
    db,
  )
  return rows.map(row => row.id)
}

/**
 * How many labels of a batch could be voided and what they cost, and how many of these the carrier has refused to void; how many are
 * being voided, are voided, and are under way.
 */
export type BatchVoids = {
  unused: number
  amount: Cents
  refused: number
  voiding: number
  voided: number
  underWay: number
}

export async function countVoids(
  db: Db,
  accounts: CarrierAccountNames,
  batchId: number,
): Promise<BatchVoids> {
  const {
    rows: [counted],
  } = await sql<BatchVoids & { amount: number }>`
    select count(*) filter (where good) as unused, coalesce(sum(price) filter (where good), 0)::bigint as amount,
        count(*) filter (where good and refused) as refused,
        count(*) filter (where state = 'voiding') as voiding, count(*) filter (where state = 'voided') as voided,
        count(*) filter (where seen) as "underWay"
      from (
        select o.state, o.price_cents as price, o.void_reason is not null as refused,
            o.state = 'purchased' and ${isUnseenByCarrier} and ${belongsToAccounts(accounts)} as good,
            o.state = 'purchased' and not ${isUnseenByCarrier} as seen
          from shipment_order o where o.batch_id = ${batchId} and o.state in ('purchased', 'voiding', 'voided')) each`.execute(
    db,
  )
  return { ...counted!, amount: cents(counted!.amount) }
}

/** Takes voids that are due, of any labels of this account or of some. The fence keeps two processes from settling the same one. */
export const claimVoids = (
  tx: Tx,
  accounts: CarrierAccountNames,
  limit: number,
  leaseMs: number,
  among?: number[],
): Promise<VoidClaim[]> =>
  claimVoidsWhere(
    tx,
    leaseMs,
    sql`
    select id from shipment_order o
      where state = 'voiding' and run_after <= clock_timestamp() and ${belongsToAccounts(accounts)}
        ${among ? sql`and id = any(${among}::bigint[])` : sql``}
      order by run_after limit ${limit} for update skip locked`,
  )

/** Takes one void of this account, due or not, also out of the hands of whoever is asking about it: an answer too many settles nothing. */
export const claimVoidById = (
  tx: Tx,
  accounts: CarrierAccountNames,
  id: number,
  leaseMs: number,
): Promise<VoidClaim[]> =>
  claimVoidsWhere(
    tx,
    leaseMs,
    sql`
    select id from shipment_order o where id = ${id} and state = 'voiding' and ${belongsToAccounts(accounts)} for update`,
  )

async function claimVoidsWhere(
  tx: Tx,
  leaseMs: number,
  which: RawBuilder<unknown>,
): Promise<VoidClaim[]> {
  const { rows } = await sql<VoidClaim>`
    with due as materialized (${which})
    update shipment_order o
      set fence = o.fence + 1, void_attempt = o.void_attempt + 1, run_after = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      from due where o.id = due.id
      returning o.id, o.user_id as "userId", o.batch_id as "batchId", o.round, o.void_attempt as attempt, o.fence, o.price_cents as price,
        o.tracking_number as "trackingNumber", o.void_is_automatic as "isAutomatic"`.execute(tx)
  return rows.map(row => ({ ...row, price: cents(row.price) }))
}

export type VoidVerdictEntry = { claim: Pick<VoidClaim, 'id' | 'fence'>; verdict: VoidVerdict }

/**
 * Writes what became of voids, where the fence still is the claim's: one that was taken over changes nothing. Rows are locked in
 * the order of their numbers. Returns the numbers of those that were changed.
 */
export async function writeVoidVerdicts(tx: Tx, judged: VoidVerdictEntry[]): Promise<Set<number>> {
  const each = <T>(pick: (verdict: VoidVerdict) => T) => judged.map(one => pick(one.verdict))
  const { rows } = await sql<{ id: number }>`
    with v as (
      select * from unnest(
        ${judged.map(j => j.claim.id)}::bigint[], ${judged.map(j => j.claim.fence)}::int[], ${each(v => v.state)}::text[],
        ${each(v => (v.state === 'purchased' ? v.reason : null))}::text[], ${each(v => (v.state === 'voiding' ? v.waitMs : 0))}::float8[],
        ${each(v => v.state === 'voiding' && v.isSubmitted)}::boolean[])
        as v (id, fence, state, reason, wait_ms, is_submitted)
    ), mine as materialized (
      select o.id from shipment_order o where o.id = any(${judged.map(j => j.claim.id)}::bigint[]) and o.state = 'voiding'
        order by o.id for update
    )
    update shipment_order o
      set state = v.state, void_reason = v.reason, run_after = clock_timestamp() + v.wait_ms * interval '1 millisecond',
          void_submitted_at = case when v.is_submitted then coalesce(o.void_submitted_at, clock_timestamp()) else o.void_submitted_at end,
          voided_at = case when v.state = 'voided' then clock_timestamp() end
      from v join mine on mine.id = v.id
      where o.id = v.id and o.fence = v.fence and o.state = 'voiding'
      returning o.id`.execute(tx)
  return new Set(rows.map(row => row.id))
}
