/** Calls of labels and what follows from them: leases, look-ups, verdicts. Queued labels are claimed in claim-store.ts. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Signature } from '#contract/label-options.ts'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { StoredAddress, StoredPackage } from '#server/carriers/port.ts'
import { belongsToAccounts } from '#server/carriers/service.ts'
import type { CarrierAccountNames, EndedCall } from '#server/carriers/service.ts'
import { restoredAt } from '#server/platform/backup/restore-state.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { Verdict } from './rules.ts'

/**
 * Claimed until the lease ends. `waitedMs`: since queued. `unknownMs`: since unknown.
 * `isBeforeRestore`: ordered before a restore, so each round may have been bought after the backup.
 * `doubtMs`: since an answer of this round went missing, at least since that restore; null if none did.
 * `refusal`: why it fails once a look-up proves that it was not sold. `maxLoss`: the
 * service's own limit of loss, null for that of the installation.
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
  signature: Signature
  saturday: boolean
  waitedMs: number
  unknownMs: number
  doubtMs: number | null
  isBeforeRestore: boolean
  refusal: string | null
  maxLoss: Cents | null
}

/** Of a label `o` that was claimed. `calls`: 1 if it has a new open call, with the attempt and the fence that follow the label's own. */
export const claimColumns = (
  calls: 0 | 1,
) => sql`o.id, o.user_id as "userId", o.batch_id as "batchId", o.round,
  o.attempt + ${sql.lit(calls)} as attempt, o.fence + ${sql.lit(calls)} as fence, o.price_cents as price,
  o.service_uid as "serviceUid", o.sender, o.receiver, o.package, o.signature, o.saturday,
  (extract(epoch from clock_timestamp() - o.queued_at) * 1000)::float8 as "waitedMs",
  coalesce(extract(epoch from clock_timestamp() - o.unknown_since) * 1000, 0)::float8 as "unknownMs",
  (extract(epoch from clock_timestamp()
    - coalesce(o.answer_missing_at, case when o.created_at < ${restoredAt} then ${restoredAt} end)) * 1000)::float8 as "doubtMs",
  coalesce(o.created_at < ${restoredAt}, false) as "isBeforeRestore", o.carrier_refusal as refusal,
  (select d.max_loss_cents from default_service d where d.uid = o.service_uid) as "maxLoss"`

/** Columns of an open call `c` that is deleted. */
const ENDED_CALL = sql`c.order_id as "orderId", c.round, c.attempt, c.fence, c.account, c.started_at::text as "startedAt"`

export const toClaims = (rows: PurchaseClaim[]): PurchaseClaim[] =>
  rows.map(row => ({
    ...row,
    price: cents(row.price),
    maxLoss: row.maxLoss === null ? null : cents(row.maxLoss),
  }))

export async function makeQueuedDue(tx: Tx, reason: string, limit: number): Promise<void> {
  await sql`
    with due as materialized (
      select id from only shipment_order where state = 'queued' and reason = ${reason}
          and id not in (select order_id from open_carrier_call)
        order by id limit ${limit} for update skip locked)
    update only shipment_order o set run_after = clock_timestamp() from due where o.id = due.id`.execute(
    tx,
  )
}

/** No lease is so late, unless the clock was set back. */
const TOO_FAR = sql`statement_timestamp() + interval '10 minutes'`

/** Labels become unknown when the lease of their call ends. Returns their batch ids, and the calls without an answer. */
export async function expireLeases(
  tx: Tx,
): Promise<{ batchIds: (number | null)[]; calls: EndedCall[] }> {
  const ended = await makeCalledUnknown(
    tx,
    sql<boolean>`c.order_id in (
          select late.order_id from open_carrier_call late
            where late.lease_until < statement_timestamp() or late.lease_until > ${TOO_FAR}
            order by late.order_id limit 1000 for update skip locked)`,
  )
  return {
    batchIds: [...ended.map(one => one.batchId), ...(await expireLeasesOfLabels(tx))],
    calls: ended,
  }
}

/** After a restore: whether the lease has ended or not. */
export const endOpenCalls = (tx: Tx): Promise<EndedCall[]> =>
  makeCalledUnknown(tx, sql<boolean>`true`)

/** `calls`: condition on open calls `c`. */
async function makeCalledUnknown(
  tx: Tx,
  calls: RawBuilder<boolean>,
): Promise<(EndedCall & { batchId: number | null })[]> {
  const { rows } = await sql<EndedCall & { batchId: number | null }>`
    with ended as (delete from open_carrier_call c where ${calls} returning ${ENDED_CALL}),
    changed as (
      update only shipment_order o
        set state = 'unknown', fence = ended.fence + 1, attempt = ended.attempt, carrier_account = ended.account,
            unknown_since = clock_timestamp(), answer_missing_at = clock_timestamp(), run_after = clock_timestamp()
        from ended where o.id = ended."orderId" and ${isOfCall('ended')}
        returning o.id, o.batch_id)
    select ended.*, changed.batch_id as "batchId" from ended left join changed on changed.id = ended."orderId"`.execute(
    tx,
  )
  return rows
}

/**
 * Leases that are in the label: of labels that Retry Failed reopens after a restore. The index is read up to the time of the
 * statement; `clock_timestamp()` would have it read whole.
 */
async function expireLeasesOfLabels(tx: Tx): Promise<(number | null)[]> {
  const { rows } = await sql<{ batchId: number | null }>`
    with late as materialized (
      select id from only shipment_order where state = 'purchasing' and lease_until < statement_timestamp()
        order by id limit 1000 for update skip locked)
    update only shipment_order o
      set state = 'unknown', fence = o.fence + 1, lease_until = null, unknown_since = clock_timestamp(),
          answer_missing_at = clock_timestamp(),
          run_after = clock_timestamp()
      from late where o.id = late.id
      returning o.batch_id as "batchId"`.execute(tx)
  return rows.map(row => row.batchId)
}

/** Quarantines begin again where the clock was set back. */
const NOT_LATER = sql`unknown_since = least(o.unknown_since, clock_timestamp()),
  answer_missing_at = case when o.answer_missing_at > clock_timestamp() then clock_timestamp() else o.answer_missing_at end`

/**
 * Claims as many labels as these calls suffice for, at least one. `later`: calls for later rounds, see `laterLookups`; 0 if calls have no
 * limit. The fence keeps two processes from settling the same label.
 */
export async function claimUnknown(
  tx: Tx,
  accounts: CarrierAccountNames,
  { calls, later }: { calls: number; later: number },
  leaseMs: number,
): Promise<PurchaseClaim[]> {
  const { rows } = await sql<PurchaseClaim>`
    with due as materialized (
      select id, run_after,
          case when o.created_at < ${restoredAt} and o.batch_id is not null then ${later}::int else 0 end as later
        from only shipment_order o where state = 'unknown' and run_after <= clock_timestamp() and ${belongsToAccounts(accounts)}
        order by run_after limit ${calls} for update skip locked
    ), counted as (
      select id, sum(1 + later) over up_to_it as calls, row_number() over up_to_it as nth
        from due window up_to_it as (order by run_after, id))
    update only shipment_order o
      set fence = o.fence + 1, run_after = clock_timestamp() + ${leaseMs} * interval '1 millisecond', ${NOT_LATER}
      from counted where o.id = counted.id and (counted.calls <= ${calls} or counted.nth = 1)
      returning ${claimColumns(0)}`.execute(tx)
  return toClaims(rows)
}

/** Due or not. Steals the claim of another process; the fence makes the loser's write a no-op. */
export async function claimUnknownById(
  tx: Tx,
  accounts: CarrierAccountNames,
  id: number,
  leaseMs: number,
): Promise<PurchaseClaim[]> {
  const { rows } = await sql<PurchaseClaim>`
    update only shipment_order o
      set fence = o.fence + 1, run_after = clock_timestamp() + ${leaseMs} * interval '1 millisecond', ${NOT_LATER}
      where o.id = ${id} and o.state = 'unknown' and ${belongsToAccounts(accounts)}
      returning ${claimColumns(0)}`.execute(tx)
  return toClaims(rows)
}

export type VerdictEntry = { claim: Pick<PurchaseClaim, 'id' | 'fence'>; verdict: Verdict }

/** Condition on a label `o`: the call that has ended is its own. Otherwise the database would refuse the step of all labels. */
const isOfCall = (call: 'c' | 'ended'): RawBuilder<boolean> =>
  sql<boolean>`o.state = 'queued' and o.fence < ${sql.ref(`${call}.fence`)}`

const verdictRows = (judged: VerdictEntry[]): RawBuilder<unknown> => {
  const each = <T>(pick: (verdict: Verdict) => T) => judged.map(one => pick(one.verdict))
  return sql`unnest(
        ${judged.map(j => j.claim.id)}::bigint[], ${judged.map(j => j.claim.fence)}::int[], ${each(v => v.state)}::text[],
        ${each(v => (v.state === 'purchased' ? v.trackingNumber : null))}::text[],
        ${each(v => (v.state === 'purchased' ? v.cost : null))}::bigint[],
        ${each(v => (v.state === 'purchased' ? null : v.reason))}::text[],
        ${each(v => (v.state === 'unknown' ? (v.refusal ?? null) : null))}::text[], ${each(v => ('waitMs' in v ? v.waitMs : 0))}::float8[],
        ${each(v => 'isUncertain' in v && v.isUncertain === true)}::boolean[])
        as v (id, claim_fence, state, tracking_number, cost_cents, reason, refusal, wait_ms, is_uncertain)`
}

/** What a verdict `v` changes in a label `o`. */
const VERDICT_CHANGES = sql`state = v.state, tracking_number = v.tracking_number, cost_cents = v.cost_cents, reason = nullif(v.reason, ''),
          run_after = clock_timestamp() + v.wait_ms * interval '1 millisecond',
          purchased_at = case when v.state = 'purchased' then clock_timestamp() end,
          unknown_since = case when v.state = 'unknown' then coalesce(o.unknown_since, clock_timestamp()) end,
          carrier_refusal = case when v.state = 'unknown' then coalesce(v.refusal, o.carrier_refusal) end,
          answer_missing_at = case
            when v.is_uncertain or (v.state = 'unknown' and o.state = 'queued' and v.refusal is null) then clock_timestamp()
            else o.answer_missing_at end`

/**
 * Ends the open calls of the claims with their verdicts, and returns them. A claim whose lease has ended has no call. The call
 * is locked before its label, also where leases end. A subquery reads each label by its key; a join read all queued labels.
 */
export async function writeVerdicts(tx: Tx, judged: VerdictEntry[]): Promise<EndedCall[]> {
  const { rows } = await sql<EndedCall>`
    with v as (
      delete from open_carrier_call c using ${verdictRows(judged)}
        where c.order_id = v.id and c.fence = v.claim_fence
          and (select ${isOfCall('c')} from only shipment_order o where o.id = v.id)
        returning v.*, ${ENDED_CALL}
    )
    update only shipment_order o set ${VERDICT_CHANGES}, fence = v.fence, attempt = v.attempt, carrier_account = v.account
      from v where o.id = v.id
      returning v."orderId", v.round, v.attempt, v.fence, v.account, v."startedAt"`.execute(tx)
  return rows
}

/** The same for labels that were looked up. Skips claims with an old fence. Returns the ids that it changed. */
export async function writeLookupVerdicts(tx: Tx, judged: VerdictEntry[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with v as materialized (
      select v.* from ${verdictRows(judged)}
        join only shipment_order o on o.id = v.id
        where o.state = 'unknown'
        order by o.id for update of o
    )
    update only shipment_order o set ${VERDICT_CHANGES}
      from v where o.id = v.id and o.fence = v.claim_fence and o.state = 'unknown'
      returning o.id`.execute(tx)
  return rows.map(row => row.id)
}

/** Leaves an unknown label to another account, which may have sold it; under the claim's fence. */
export async function moveUnknownToAccount(
  tx: Tx,
  { id, fence }: Pick<PurchaseClaim, 'id' | 'fence'>,
  account: string,
): Promise<void> {
  await sql`update only shipment_order set carrier_account = ${account}
    where id = ${id} and fence = ${fence} and state = 'unknown'`.execute(tx)
}

/** Whether one of these accounts was asked to sell the label in this round, answered or not. */
export async function wasAskedToSell(
  db: Db,
  accounts: CarrierAccountNames,
  { id, round }: Pick<PurchaseClaim, 'id' | 'round'>,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from carrier_call where order_id = ${id} and round = ${round} and act = 'buy'
      and (account is null or account = any(${accounts}::text[])) limit 1`.execute(db)
  return rows.length > 0
}

/** How often the carrier was asked for each label in its round, with the call that is being settled. */
export async function selectBuyTries(
  tx: Tx,
  claims: Pick<PurchaseClaim, 'id' | 'round'>[],
): Promise<Map<number, number>> {
  if (claims.length === 0) return new Map()
  const { rows } = await sql<{ id: number; tries: number }>`
    select v.id, (select 1 + count(*)::int from carrier_call c
        where c.order_id = v.id and c.round = v.round and c.act = 'buy') as tries
      from unnest(${claims.map(({ id }) => id)}::bigint[], ${claims.map(({ round }) => round)}::int[])
        as v (id, round)`.execute(tx)
  return new Map(rows.map(({ id, tries }) => [id, tries]))
}
