import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isUnderWay, TRACKING_STATUSES } from '#contract/tracking.ts'
import { belongsToAccounts } from '#server/carriers/account-store.ts'
import type { CarrierAccountNames } from '#server/carriers/account-store.ts'
import type { TrackingResult } from '#server/carriers/port.ts'
import type { Tx } from '#server/platform/database/database.ts'

const UNDER_WAY = TRACKING_STATUSES.filter(isUnderWay)

/** A condition on a label that is called `o`: its carrier has not seen its parcel. */
export const isUnseenByCarrier = sql<boolean>`not exists (
  select 1 from parcel_tracking p where p.order_id = o.id and p.status = any(${UNDER_WAY}::text[]))`

/** Spans in ms: from now, and from the purchase; null: the carrier names no end of its window. */
export type TrackingSchedule = { pollAfterMs: number; autoVoidAfterMs: number | null }

/** From now on these labels, which are bought, are watched: where their parcels are, and whether they are used at all. */
export async function insertTracking(
  tx: Tx,
  orderIds: number[],
  { pollAfterMs, autoVoidAfterMs }: TrackingSchedule,
): Promise<void> {
  await sql`
    insert into parcel_tracking (order_id, user_id, next_check_at, auto_void_at)
      select id, user_id, clock_timestamp() + ${pollAfterMs}::float8 * interval '1 millisecond',
          purchased_at + ${autoVoidAfterMs}::float8 * interval '1 millisecond'
        from shipment_order where id = any(${orderIds}::bigint[]) order by id
      on conflict do nothing`.execute(tx)
}

/** For how long a label is taken; one of another account for longer, since only its own can be asked about it. */
const leaseFor = (accounts: CarrierAccountNames, leaseMs: number): RawBuilder<unknown> =>
  sql`case when ${belongsToAccounts(accounts)} then ${leaseMs} * interval '1 millisecond' else interval '6 hours' end`

/** A label whose parcel is to be asked about. `attempt`: how often in a row, this time included. */
export type ParcelClaim = {
  id: number
  round: number
  trackingNumber: string
  attempt: number
  sinceBoughtMs: number
}

const PARCEL_CLAIM_COLUMNS = sql`o.id, o.round, o.tracking_number as "trackingNumber", p.attempt,
  (extract(epoch from clock_timestamp() - o.purchased_at) * 1000)::float8 as "sinceBoughtMs"`

/**
 * Takes parcels that are due to be asked about, for so long (ms). Labels that are voided have no parcels and leave the list; those that
 * were bought in another account come again later, and are left alone.
 */
export async function claimParcels(
  tx: Tx,
  accounts: CarrierAccountNames,
  limit: number,
  leaseMs: number,
): Promise<ParcelClaim[]> {
  const { rows } = await sql<ParcelClaim & { isLeft: boolean }>`
    with due as materialized (
      select order_id from parcel_tracking where next_check_at <= clock_timestamp() order by next_check_at limit ${limit} for update skip locked)
    update parcel_tracking p
      set attempt = p.attempt + 1, next_check_at = case when o.state <> 'voided' then clock_timestamp() + ${leaseFor(accounts, leaseMs)} end
      from due join shipment_order o on o.id = due.order_id
      where p.order_id = due.order_id
      returning ${PARCEL_CLAIM_COLUMNS}, o.state = 'voided' or not ${belongsToAccounts(accounts)} as "isLeft"`.execute(
    tx,
  )
  return rows.filter(row => !row.isLeft)
}

/** What was seen of a parcel, null where the carrier did not say; and when it is asked again (ms from now), null for never. */
export type TrackingUpdate = { id: number; tracked: TrackingResult | null; waitMs: number | null }

/** Notes what was seen. A carrier that has lost sight of a parcel takes nothing back: a label that was used stays used. */
export async function recordTracking(tx: Tx, seen: TrackingUpdate[]): Promise<void> {
  const each = <T>(pick: (tracked: TrackingResult) => T) =>
    seen.map(({ tracked }) => tracked && pick(tracked))
  await sql`
    with s as (
      select * from unnest(${seen.map(({ id }) => id)}::bigint[], ${each(t => t.status)}::text[], ${each(t => t.detail)}::text[],
        ${each(t => t.at)}::timestamptz[], ${seen.map(({ waitMs }) => waitMs)}::float8[]) as s (id, status, detail, at, wait_ms)
    ), mine as materialized (
      select order_id from parcel_tracking where order_id = any(${seen.map(({ id }) => id)}::bigint[]) order by order_id for update
    ), told as (
      select s.*, s.status is not null as is_told, coalesce(s.status, 'unknown') <> 'unknown' or p.status = 'unknown' as is_news
        from s join parcel_tracking p on p.order_id = s.id join mine on mine.order_id = s.id
    )
    update parcel_tracking p
      set last_checked_at = case when told.is_told then clock_timestamp() else p.last_checked_at end,
          attempt = case when told.is_told then 0 else p.attempt end,
          status = case when told.is_told and told.is_news then told.status else p.status end,
          detail = case when told.is_told and told.is_news then told.detail else p.detail end,
          seen_at = case when told.is_told and told.is_news then told.at else p.seen_at end,
          next_check_at = clock_timestamp() + told.wait_ms * interval '1 millisecond'
      from told where p.order_id = told.id`.execute(tx)
}

/** `wasUnseen`: the carrier was asked before, and had not seen the parcel. */
export type AutoVoidClaim = ParcelClaim & { wasUnseen: boolean }

/** Takes labels of this account that are to be given back now unless they are used, for so long (ms); others come again later. */
export async function claimAutoVoids(
  tx: Tx,
  accounts: CarrierAccountNames,
  limit: number,
  leaseMs: number,
): Promise<AutoVoidClaim[]> {
  const { rows } = await sql<AutoVoidClaim & { isLeft: boolean }>`
    with due as materialized (
      select order_id from parcel_tracking where auto_void_at <= clock_timestamp() order by auto_void_at limit ${limit} for update skip locked)
    update parcel_tracking p set auto_void_at = clock_timestamp() + ${leaseFor(accounts, leaseMs)}
      from due join shipment_order o on o.id = due.order_id
      where p.order_id = due.order_id
      returning ${PARCEL_CLAIM_COLUMNS}, p.last_checked_at is not null and p.status <> all(${UNDER_WAY}::text[]) as "wasUnseen",
        not ${belongsToAccounts(accounts)} as "isLeft"`.execute(tx)
  return rows.filter(row => !row.isLeft)
}

/** These labels are given back to nobody by themselves any more: they are used, or their void was asked for. */
export async function cancelAutoVoids(tx: Tx, orderIds: number[]): Promise<void> {
  await sql`
    with mine as materialized (
      select order_id from parcel_tracking where order_id = any(${orderIds}::bigint[]) and auto_void_at is not null order by order_id for update)
    update parcel_tracking p set auto_void_at = null from mine where p.order_id = mine.order_id`.execute(
    tx,
  )
}
