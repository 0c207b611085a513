import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { REFUND_AGES, REFUND_STATES } from '#contract/refunds.ts'
import type { RefundState } from '#contract/refunds.ts'
import { labelAccount } from '#server/carriers/service.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { findMovedRow } from '#server/platform/database/moved-rows.ts'

const STATE = sql<RefundState>`case o.state when 'voiding' then 'pending' when 'voided' then 'refunded' else 'refused' end`

/** Labels `o` whose void was requested and is open, confirmed or refused. */
const hasRefund = (userId: number): RawBuilder<boolean> =>
  sql`o.user_id = ${userId} and o.void_requested_at is not null
    and (o.state in ('voiding', 'voided') or (o.state = 'purchased' and o.void_reason is not null))`

/**
 * `submittedAt`: the carrier accepted the request, to decide later. `account`: the carrier account
 * that sold it; null if none was stored. `refundDueAt`: the carrier has confirmed the void, and the
 * refund waits until then. `isStopped`: it was scanned since.
 */
export type RefundRow = {
  orderId: number
  trackingNumber: string
  service: string
  receiver: string
  amount: Cents
  state: RefundState
  requestedAt: Date
  submittedAt: Date | null
  refundDueAt: Date | null
  isStopped: boolean
  refundedAt: Date | null
  automatic: boolean
  inDoubt: boolean
  reason: string | null
  account: string | null
}

/** Newest request first; `state`: null for all. */
export async function selectRefunds(
  db: Db,
  userId: number,
  state: RefundState | null,
  { offset, limit }: { offset: number; limit: number },
): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    select o.id as "orderId", o.tracking_number as "trackingNumber", o.service_name as service, o.price_cents as amount,
        o.receiver ->> 'name' as receiver,
        ${STATE} as state, o.void_requested_at as "requestedAt", o.void_submitted_at as "submittedAt", o.voided_at as "refundedAt",
        case when o.state = 'voiding' then o.refund_due_at end as "refundDueAt",
        o.state = 'voiding' and o.void_confirmed_at is not null and exists (
          select 1 from parcel_tracking p where p.order_id = o.id and p.scanned_after_void_at is not null) as "isStopped",
        o.void_is_automatic as automatic, case when o.state = 'purchased' then o.void_reason end as reason,
        o.state = 'voiding' and exists (select 1 from carrier_call c where c.order_id = o.id and c.act = 'void'
          and c.started_at >= o.void_requested_at and c.outcome = 'permanent') as "inDoubt",
        ${labelAccount} as account
      from shipment_order o
      where ${hasRefund(userId)} ${state === null ? sql`` : sql`and ${STATE} = ${state}`}
      order by o.void_requested_at desc, o.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map(row => ({ ...row, amount: cents(row.amount) }))
}

export type RefundSum = { count: number; amount: Cents }
export type RefundSums = Record<RefundState | 'automatic', RefundSum>

/** `automatic`: those of `refunded` that no one requested. */
export async function sumRefunds(db: Db, userId: number): Promise<RefundSums> {
  const { rows } = await sql<{ state: RefundState; automatic: boolean } & RefundSum>`
    select ${STATE} as state, o.void_is_automatic as automatic, count(*) as count, sum(o.price_cents)::bigint as amount
      from shipment_order o where ${hasRefund(userId)} group by 1, 2`.execute(db)
  const sumOf = (among: typeof rows): RefundSum => ({
    count: among.reduce((sum, { count }) => sum + count, 0),
    amount: cents(among.reduce((sum, { amount }) => sum + amount, 0)),
  })
  const [pending, refunded, refused] = REFUND_STATES.map(state =>
    rows.filter(row => row.state === state),
  )
  return {
    pending: sumOf(pending!),
    refunded: sumOf(refunded!),
    refused: sumOf(refused!),
    automatic: sumOf(refunded!.filter(({ automatic }) => automatic)),
  }
}

/** `fromDays`: the highest of `REFUND_AGES` that the request has reached. */
export type RefundDueRow = {
  account: string | null
  fromDays: number
  count: number
  carrierOwes: Cents
  unknownCosts: number
  customersGet: Cents
  oldest: Date
}

/** Voids that the carrier has not confirmed, by its account and age. */
export async function selectRefundsDue(db: Db): Promise<RefundDueRow[]> {
  const { rows } = await sql<RefundDueRow>`
    select o.carrier_account as account, a.days as "fromDays", count(*) as count, coalesce(sum(o.cost_cents), 0)::bigint as "carrierOwes",
        count(*) filter (where o.cost_cents is null) as "unknownCosts", sum(o.price_cents)::bigint as "customersGet",
        min(o.void_requested_at) as oldest
      from shipment_order o cross join lateral (
        select max(d) as days from unnest(${[...REFUND_AGES]}::int[]) d
          where d = 0 or o.void_requested_at <= clock_timestamp() - d * interval '1 day') a
      where o.state = 'voiding' and o.void_confirmed_at is null group by 1, 2 order by 1, 2`.execute(
    db,
  )
  return rows.map(row => ({
    ...row,
    carrierOwes: cents(row.carrierOwes),
    customersGet: cents(row.customersGet),
  }))
}

/** What corrections credited to the customers of labels in all, by order id; only above zero. */
export async function selectNetCredits(
  tx: Tx,
  orderIds: readonly number[],
): Promise<Map<number, Cents>> {
  const { rows } = await sql<{ orderId: number; credited: number }>`
    select order_id as "orderId", -sum(passed_cents - credited_back_cents)::bigint as credited
      from carrier_adjustment where order_id = any(${orderIds}::bigint[])
      group by 1 having sum(passed_cents - credited_back_cents) < 0 order by 1`.execute(tx)
  return new Map(rows.map(({ orderId, credited }) => [orderId, cents(credited)]))
}

/**
 * Of a voided label `o` and its `parcel_tracking p`: an administrator gave the refund although it was
 * scanned. A scan between the claim of a due refund and its payment has no such decision.
 */
export const isScanDecided = sql<boolean>`p.scanned_after_void_at <= o.voided_at and exists (
  select 1 from audit_entry a where a.subject_id = o.user_id and a.action = 'void-ended'
    and (a.detail ->> 'orderId')::bigint = o.id and a.detail ->> 'outcome' = 'paid-back')`

export type VoidedLabel = {
  ownerId: number
  isDeleted: boolean
  isVoided: boolean
  isDecided: boolean
  price: Cents
  /** As YYYY-MM-DD in UTC; null if the carrier has not scanned it after the void. */
  scannedOn: string | null
}

/** Locks the label. Waits for a deletion of its user. */
export const lockVoidedLabel = (tx: Tx, orderId: number): Promise<VoidedLabel | undefined> =>
  findMovedRow(() => lockVoided(tx, orderId))

async function lockVoided(tx: Tx, orderId: number): Promise<VoidedLabel | undefined> {
  const { rows } = await sql<VoidedLabel>`
    select o.user_id as "ownerId", u.deleted_at is not null as "isDeleted", o.state = 'voided' as "isVoided", o.price_cents as price,
        coalesce(${isScanDecided}, false) as "isDecided", to_char(p.scanned_after_void_at at time zone 'utc', 'YYYY-MM-DD') as "scannedOn"
      from shipment_order o join app_user u on u.id = o.user_id left join parcel_tracking p on p.order_id = o.id
      where o.id = ${orderId} for no key update of o for key share of u`.execute(tx)
  return rows[0] && { ...rows[0], price: cents(rows[0].price) }
}
