import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { belongsToAccounts } from '#server/carriers/account-store.ts'
import type { CarrierAccountNames } from '#server/carriers/account-store.ts'
import type { Verdict } from '#server/orders/rules.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { StoredAddress, StoredPackage } from '#server/platform/database/tables.ts'

/**
 * A label in this process's hands until its lease ends. `waitedMs` since it was queued, `unknownMs` since its outcome is unknown,
 * `doubtMs` since an answer of this round was missing last; null: none was. `refusal`: why it fails, once it is known not to be sold.
 */
export type PurchaseClaim = {
  id: number
  userId: number
  batchId: number | null
  round: number
  attempt: number
  fence: number
  price: Cents
  serviceUid: string
  sender: StoredAddress
  receiver: StoredAddress
  package: StoredPackage
  waitedMs: number
  unknownMs: number
  doubtMs: number | null
  refusal: string | null
}

const CLAIM_COLUMNS = sql`o.id, o.user_id as "userId", o.batch_id as "batchId", o.round, o.attempt, o.fence, o.price_cents as price,
  o.service_uid as "serviceUid", o.sender, o.receiver, o.package,
  (extract(epoch from clock_timestamp() - o.queued_at) * 1000)::float8 as "waitedMs",
  coalesce(extract(epoch from clock_timestamp() - o.unknown_since) * 1000, 0)::float8 as "unknownMs",
  (extract(epoch from clock_timestamp() - o.answer_missing_at) * 1000)::float8 as "doubtMs", o.refusal`

const toClaims = (rows: PurchaseClaim[]): PurchaseClaim[] =>
  rows.map(row => ({ ...row, price: cents(row.price) }))

/**
 * Takes up to `limit` queued labels, an equal share from each owner who has any, his oldest first. Rows are locked inside the
 * lateral: ranking all rows first and locking afterwards left a second worker nothing out of 950 free ones. `after` is the owner
 * served last, so that with more owners than places everybody has a turn. From now on they are labels of this `account`.
 */
export async function claimQueued(
  tx: Tx,
  account: string,
  limit: number,
  leaseMs: number,
  after: number,
): Promise<PurchaseClaim[]> {
  const { rows } = await sql<PurchaseClaim>`
    with recursive owner as (
      (select user_id from shipment_order where state = 'queued' order by user_id limit 1)
      union all
      select (select q.user_id from shipment_order q where q.state = 'queued' and q.user_id > owner.user_id order by q.user_id limit 1)
        from owner where owner.user_id is not null
    ), turn as (
      select user_id, greatest(1, ceil(${limit}::numeric / count(*) over ()))::int as share
        from owner where user_id is not null order by user_id <= ${after}, user_id limit ${limit}
    ), taken as materialized (
      select mine.id from turn cross join lateral (
        select q.id from shipment_order q where q.user_id = turn.user_id and q.state = 'queued' and q.run_after <= clock_timestamp()
          order by q.id limit turn.share for update skip locked) mine
        limit ${limit}
    )
    update shipment_order o
      set state = 'purchasing', attempt = o.attempt + 1, fence = o.fence + 1, carrier_account = ${account},
          lease_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      from taken where o.id = taken.id
      returning ${CLAIM_COLUMNS}`.execute(tx)
  return toClaims(rows)
}

/** Queued labels that wait for a reason are due now, the oldest first. */
export async function makeQueuedDue(tx: Tx, reason: string, limit: number): Promise<void> {
  await sql`
    with due as materialized (
      select id from shipment_order where state = 'queued' and reason = ${reason} order by id limit ${limit} for update skip locked)
    update shipment_order o set run_after = clock_timestamp() from due where o.id = due.id`.execute(
    tx,
  )
}

/** Takes one label by its number, if it is still queued; from now on it is one of this `account`. */
export async function claimQueuedById(
  tx: Tx,
  account: string,
  id: number,
  leaseMs: number,
): Promise<PurchaseClaim | undefined> {
  const { rows } = await sql<PurchaseClaim>`
    update shipment_order o
      set state = 'purchasing', attempt = o.attempt + 1, fence = o.fence + 1, carrier_account = ${account},
          lease_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      where o.id = ${id} and o.state = 'queued'
      returning ${CLAIM_COLUMNS}`.execute(tx)
  return toClaims(rows)[0]
}

/** Labels whose lease has run out: nobody knows what became of them until the carrier is asked. Returns their batches. */
export async function expireLeases(tx: Tx): Promise<(number | null)[]> {
  const { rows } = await sql<{ batchId: number | null }>`
    with late as materialized (
      select id from shipment_order where state = 'purchasing' and lease_until < clock_timestamp()
        order by id limit 1000 for update skip locked)
    update shipment_order o
      set state = 'unknown', fence = o.fence + 1, lease_until = null, unknown_since = clock_timestamp(), answer_missing_at = clock_timestamp(),
          run_after = clock_timestamp()
      from late where o.id = late.id
      returning o.batch_id as "batchId"`.execute(tx)
  return rows.map(row => row.batchId)
}

/** Takes labels of this account and of unknown outcome that may be asked about now. The fence keeps two from settling the same one. */
export async function claimUnknown(
  tx: Tx,
  accounts: CarrierAccountNames,
  limit: number,
  leaseMs: number,
): Promise<PurchaseClaim[]> {
  const { rows } = await sql<PurchaseClaim>`
    with due as materialized (
      select id from shipment_order o where state = 'unknown' and run_after <= clock_timestamp() and ${belongsToAccounts(accounts)}
        order by run_after limit ${limit} for update skip locked)
    update shipment_order o set fence = o.fence + 1, run_after = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      from due where o.id = due.id
      returning ${CLAIM_COLUMNS}`.execute(tx)
  return toClaims(rows)
}

/** Takes one label of this account and unknown outcome, also out of the hands of whoever is asking: an answer too many settles nothing. */
export async function claimUnknownById(
  tx: Tx,
  accounts: CarrierAccountNames,
  id: number,
  leaseMs: number,
): Promise<PurchaseClaim[]> {
  const { rows } = await sql<PurchaseClaim>`
    update shipment_order o set fence = o.fence + 1, run_after = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      where o.id = ${id} and o.state = 'unknown' and ${belongsToAccounts(accounts)}
      returning ${CLAIM_COLUMNS}`.execute(tx)
  return toClaims(rows)
}

export type VerdictEntry = { claim: Pick<PurchaseClaim, 'id' | 'fence'>; verdict: Verdict }

/**
 * Writes what became of labels, where the fence still is the claim's: one that has lost its lease changes nothing. Rows are
 * locked in the order of their numbers. Returns the numbers of those that were changed.
 */
export async function writeVerdicts(tx: Tx, judged: VerdictEntry[]): Promise<Set<number>> {
  const each = <T>(pick: (verdict: Verdict) => T) => judged.map(one => pick(one.verdict))
  const { rows } = await sql<{ id: number }>`
    with v as (
      select * from unnest(
        ${judged.map(j => j.claim.id)}::bigint[], ${judged.map(j => j.claim.fence)}::int[], ${each(v => v.state)}::text[],
        ${each(v => (v.state === 'purchased' ? v.trackingNumber : null))}::text[],
        ${each(v => (v.state === 'purchased' ? v.cost : null))}::bigint[],
        ${each(v => (v.state === 'purchased' ? null : v.reason))}::text[],
        ${each(v => (v.state === 'unknown' ? (v.refusal ?? null) : null))}::text[], ${each(v => ('waitMs' in v ? v.waitMs : 0))}::float8[])
        as v (id, fence, state, tracking_number, cost_cents, reason, refusal, wait_ms)
    ), mine as materialized (
      select o.id from shipment_order o where o.id = any(${judged.map(j => j.claim.id)}::bigint[]) and o.state in ('purchasing', 'unknown')
        order by o.id for update
    )
    update shipment_order o
      set state = v.state, tracking_number = v.tracking_number, cost_cents = v.cost_cents, reason = nullif(v.reason, ''),
          lease_until = null, run_after = clock_timestamp() + v.wait_ms * interval '1 millisecond',
          purchased_at = case when v.state = 'purchased' then clock_timestamp() end,
          unknown_since = case when v.state = 'unknown' then coalesce(o.unknown_since, clock_timestamp()) end,
          refusal = case when v.state = 'unknown' then coalesce(v.refusal, o.refusal) end,
          answer_missing_at = case when v.state = 'unknown' and o.state = 'purchasing' and v.refusal is null then clock_timestamp()
            else o.answer_missing_at end
      from v join mine on mine.id = v.id
      where o.id = v.id and o.fence = v.fence and o.state in ('purchasing', 'unknown')
      returning o.id`.execute(tx)
  return new Set(rows.map(row => row.id))
}

/** Opens failed labels of a batch for another round; those taken over by another batch stay. Returns their numbers and prices. */
export async function reopenFailed(
  tx: Tx,
  batchId: number,
): Promise<{ id: number; price: Cents }[]> {
  const { rows } = await sql<{ id: number; price: number }>`
    with again as materialized (
      select id from shipment_order where batch_id = ${batchId} and state = 'failed' and replaced_by is null order by id for update)
    update shipment_order o
      set state = 'queued', round = o.round + 1, reason = null, lease_until = null, answer_missing_at = null,
          run_after = clock_timestamp(), queued_at = clock_timestamp()
      from again where o.id = again.id
      returning o.id, o.price_cents as price`.execute(tx)
  return rows.map(row => ({ id: row.id, price: cents(row.price) }))
}
