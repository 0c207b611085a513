import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { VoidStatus } from '#contract/orders.ts'
import { belongsToAccounts } from '#server/carriers/service.ts'
import type { CarrierAccountNames } from '#server/carriers/service.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { LOOK_BEFORE_REFUND_MS } from '#server/tracking/rules.ts'
import { cancelAutoVoids, isUnseenByCarrier } from '#server/tracking/service.ts'
import type { VoidVerdict } from './rules.ts'

/**
 * `attempt`: void calls, this one included. `unansweredMs`: since the latest earlier call of this
 * request without an answer began, null if all had one. `isAutomatic`: the label was unused.
 */
export type VoidClaim = {
  id: number
  userId: number
  batchId: number | null
  round: number
  attempt: number
  unansweredMs: number | null
  fence: number
  price: Cents
  trackingNumber: string
  isAutomatic: boolean
}

export type RequestedVoid = { id: number; userId: number }

/** 'system': unused labels. 'carrier': reports a void that is missing after a restore. */
export type VoidRequester = { actorId: number } | 'system' | 'carrier'

/**
 * Skips labels of other accounts, and those whose parcels are on their way unless the carrier is
 * the requester. Locks orders by id. Returns the changed labels.
 */
export async function requestVoids(
  tx: Tx,
  accounts: CarrierAccountNames,
  ids: number[],
  requester: VoidRequester,
): Promise<RequestedVoid[]> {
  const requested = await requestVoidsOnce(tx, accounts, ids, requester)
  const done = new Set(requested.map(({ id }) => id))
  const archived = await selectArchived(
    tx,
    ids.filter(id => !done.has(id)),
  )
  // A label that was moved to the archive meanwhile is found by the next statement.
  if (archived.length > 0)
    requested.push(...(await requestVoidsOnce(tx, accounts, archived, requester)))
  await cancelAutoVoids(
    tx,
    requested.map(({ id }) => id),
  )
  return requested
}

async function selectArchived(tx: Tx, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select id from shipment_order where id = any(${ids}::bigint[]) and tableoid <> 'shipment_order'::regclass`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

async function requestVoidsOnce(
  tx: Tx,
  accounts: CarrierAccountNames,
  ids: number[],
  requester: VoidRequester,
): Promise<RequestedVoid[]> {
  const actorId = typeof requester === 'object' ? requester.actorId : null
  const { rows } = await sql<RequestedVoid>`
    with good as materialized (
      select id from shipment_order o where id = any(${ids}::bigint[]) and state = 'purchased'
        and ${belongsToAccounts(accounts)} ${requester === 'carrier' ? sql`` : sql`and ${isUnseenByCarrier}`} order by id for update)
    update shipment_order o
      set state = 'voiding', void_requested_at = clock_timestamp(), void_requested_by = ${actorId}, void_attempt = 0, void_reason = null,
          void_submitted_at = null, void_confirmed_at = null, refund_due_at = null,
          void_is_automatic = ${requester === 'system'}, run_after = clock_timestamp()
      from good where o.id = good.id
      returning o.id, o.user_id as "userId"`.execute(tx)
  return rows
}

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
 * `amount`: the price of `unused` labels. `refused` and `onForms`: those of them that the carrier has
 * refused to void, and those on a SCAN form.
 */
export type BatchVoids = {
  unused: number
  amount: Cents
  refused: number
  voiding: number
  voided: number
  underWay: number
  onForms: number
}

export async function countVoids(
  db: Db,
  accounts: CarrierAccountNames,
  batchId: number,
): Promise<BatchVoids> {
  const { rows } = await sql<BatchVoids & { amount: number }>`
    select count(*) filter (where good) as unused, coalesce(sum(price) filter (where good), 0)::bigint as amount,
        count(*) filter (where good and refused) as refused,
        count(*) filter (where state = 'voiding') as voiding, count(*) filter (where state = 'voided') as voided,
        count(*) filter (where seen) as "underWay", count(*) filter (where good and "onForm") as "onForms"
      from (
        select o.state, o.price_cents as price, o.void_reason is not null as refused, o.scan_form_id is not null as "onForm",
            o.state = 'purchased' and ${isUnseenByCarrier} and ${belongsToAccounts(accounts)} as good,
            o.state = 'purchased' and not ${isUnseenByCarrier} as seen
          from shipment_order o where o.batch_id = ${batchId} and o.state in ('purchased', 'voiding', 'voided')) each`.execute(
    db,
  )
  return { ...rows[0]!, amount: cents(rows[0]!.amount) }
}

/** Of labels whose void was requested. A label that is neither being voided nor voided was refused. */
export async function countVoidStatuses(
  db: Db,
  ids: number[],
): Promise<Record<VoidStatus, number>> {
  const { rows } = await sql<Record<VoidStatus, number>>`
    select count(*) filter (where state = 'voiding') as requested, count(*) filter (where state = 'voided') as voided,
        count(*) filter (where state not in ('voiding', 'voided')) as refused
      from shipment_order where id = any(${ids}::bigint[])`.execute(db)
  return rows[0]!
}

/** The fence keeps two processes from settling the same void. */
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
      where state = 'voiding' and void_confirmed_at is null and run_after <= clock_timestamp() and ${belongsToAccounts(accounts)}
        ${among ? sql`and id = any(${among}::bigint[])` : sql``}
      order by run_after limit ${limit} for update skip locked`,
  )

/** Due or not. Steals the claim of another process. */
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
    select id from shipment_order o where id = ${id} and state = 'voiding' and void_confirmed_at is null
      and ${belongsToAccounts(accounts)} for update`,
  )

/** Also a call that another process is still making, or died in. */
const unansweredMs = sql`(select extract(epoch from clock_timestamp() - max(c.started_at)) * 1000 from carrier_call c
  where c.order_id = o.id and c.act = 'void' and c.fence < o.fence and c.started_at >= o.void_requested_at
    and coalesce(c.outcome, 'unknown') = 'unknown')::float8`

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
        o.tracking_number as "trackingNumber", o.void_is_automatic as "isAutomatic", ${unansweredMs} as "unansweredMs"`.execute(
    tx,
  )
  return rows.map(row => ({ ...row, price: cents(row.price) }))
}

/** Of a confirmed void `o`: the carrier scanned the parcel afterwards. */
const isScanned = sql<boolean>`exists (
  select 1 from parcel_tracking p where p.order_id = o.id and p.scanned_after_void_at is not null)`

const LATE_LOOK_MS = 60 * 60_000
/** Of a due refund `o`: its last look has no answer. It waits for one once, since its run_after is later than its day then. */
const isUnseen = sql<boolean>`(o.run_after <= o.refund_due_at and exists (
  select 1 from parcel_tracking p where p.order_id = o.id and p.void_check_at is not null
    and coalesce(p.last_checked_at, '-infinity') < o.refund_due_at - ${LOOK_BEFORE_REFUND_MS}::float8 * interval '1 millisecond'))`

/** `stopped`: due too, but scanned since the void; they are looked at again in a day. `isDone`: nothing was due. */
export async function claimDueRefunds(
  tx: Tx,
  limit: number,
  leaseMs: number,
): Promise<{ claims: VoidClaim[]; stopped: number[]; isDone: boolean }> {
  const claims = await claimConfirmed(
    tx,
    sql`select o.id, ${isScanned} as "isStopped", ${isUnseen} as "isUnseen" from shipment_order o
      where o.state = 'voiding' and o.void_confirmed_at is not null and o.refund_due_at <= clock_timestamp()
        and o.run_after <= clock_timestamp()
      order by o.run_after limit ${limit} for update skip locked`,
    leaseMs,
  )
  return {
    claims: claims.filter(({ isStopped, isUnseen }) => !isStopped && !isUnseen),
    stopped: claims.filter(({ isStopped }) => isStopped).map(({ id }) => id),
    isDone: claims.length === 0,
  }
}

/** Due or not: an administrator decides. `isStopped`: scanned. Undefined if no refund waits. */
export const claimWaitingRefund = async (
  tx: Tx,
  orderId: number,
  leaseMs: number,
): Promise<(VoidClaim & { isStopped: boolean }) | undefined> =>
  (
    await claimConfirmed(
      tx,
      sql`select o.id, ${isScanned} as "isStopped", false as "isUnseen" from shipment_order o
        where o.id = ${orderId} and o.state = 'voiding' and o.void_confirmed_at is not null for update`,
      leaseMs,
    )
  )[0]

async function claimConfirmed(
  tx: Tx,
  which: RawBuilder<unknown>,
  leaseMs: number,
): Promise<(VoidClaim & { isStopped: boolean; isUnseen: boolean })[]> {
  const { rows } = await sql<VoidClaim & { isStopped: boolean; isUnseen: boolean }>`
    with due as materialized (${which})
    update shipment_order o
      set fence = o.fence + 1, run_after = clock_timestamp()
        + case when due."isStopped" then interval '1 day' when due."isUnseen" then ${LATE_LOOK_MS}::float8 * interval '1 millisecond'
          else ${leaseMs} * interval '1 millisecond' end
      from due where o.id = due.id
      returning o.id, o.user_id as "userId", o.batch_id as "batchId", o.round, o.void_attempt as attempt, o.fence, o.price_cents as price,
        o.tracking_number as "trackingNumber", o.void_is_automatic as "isAutomatic", null::float8 as "unansweredMs",
        due."isStopped", due."isUnseen"`.execute(tx)
  return rows.map(row => ({ ...row, price: cents(row.price) }))
}

export type VoidVerdictEntry = { claim: Pick<VoidClaim, 'id' | 'fence'>; verdict: VoidVerdict }

/** Skips claims with an old fence. Locks orders by id. Returns the ids it changed. */
export async function writeVoidVerdicts(tx: Tx, judged: VoidVerdictEntry[]): Promise<Set<number>> {
  const each = <T>(pick: (verdict: VoidVerdict) => T) => judged.map(one => pick(one.verdict))
  const { rows } = await sql<{ id: number }>`
    with v as (
      select * from unnest(
        ${judged.map(j => j.claim.id)}::bigint[], ${judged.map(j => j.claim.fence)}::int[], ${each(v => v.state)}::text[],
        ${each(v => (v.state === 'purchased' ? v.reason : null))}::text[], ${each(v => (v.state === 'voiding' ? v.waitMs : 0))}::float8[],
        ${each(v => v.state === 'voiding' && v.isSubmitted)}::boolean[],
        ${each(v => v.state === 'voiding' && v.isConfirmed === true)}::boolean[])
        as v (id, fence, state, reason, wait_ms, is_submitted, is_confirmed)
    ), mine as materialized (
      select o.id from shipment_order o where o.id = any(${judged.map(j => j.claim.id)}::bigint[]) and o.state = 'voiding'
        order by o.id for update
    )
    update shipment_order o
      set state = v.state, void_reason = v.reason, run_after = clock_timestamp() + v.wait_ms * interval '1 millisecond',
          void_submitted_at = case when v.is_submitted then coalesce(o.void_submitted_at, clock_timestamp()) else o.void_submitted_at end,
          void_confirmed_at = case when v.is_confirmed then clock_timestamp() else o.void_confirmed_at end,
          refund_due_at = case when v.is_confirmed then clock_timestamp() + v.wait_ms * interval '1 millisecond'
            else o.refund_due_at end,
          voided_at = case when v.state = 'voided' then clock_timestamp() end
      from v join mine on mine.id = v.id
      where o.id = v.id and o.fence = v.fence and o.state = 'voiding'
      returning o.id`.execute(tx)
  return new Set(rows.map(row => row.id))
}

/**
 * After a restore. Refunds that wait for their day wait a day from now on at least: a scan that stopped
 * one may be younger than the backup, and is asked for again before it is paid. Returns the number of
 * open voids.
 */
export async function requeueVoids(tx: Tx): Promise<number> {
  await sql`update shipment_order set run_after = greatest(run_after, clock_timestamp() + interval '1 day')
    where state = 'voiding' and void_confirmed_at is not null`.execute(tx)
  const { numAffectedRows } = await sql`
    update shipment_order set fence = fence + 1, run_after = clock_timestamp()
      where state = 'voiding' and void_confirmed_at is null`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
