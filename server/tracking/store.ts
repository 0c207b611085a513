import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isTrackingFinal, isUnderWay, TRACKING_STATUSES } from '#contract/tracking.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { TrackingResult } from '#server/carriers/port.ts'
import { belongsToAccounts, isNotOf } from '#server/carriers/service.ts'
import type { CarrierAccountNames } from '#server/carriers/service.ts'
import { arrayOf } from '#server/platform/database/array-of.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { publish } from '#server/platform/outbox/outbox.ts'
import type { OutboxMessage } from '#server/platform/outbox/outbox.ts'
import type { Postponable } from './claims.ts'
import { insertEvents } from './events-store.ts'
import { insertReceiverMails } from './receiver-mails-store.ts'
import { LOOK_AGAIN_MS, LOOK_BEFORE_REFUND_MS, TRACKING_ENDS_MS } from './rules.ts'

const UNDER_WAY = TRACKING_STATUSES.filter(isUnderWay)
const FINAL = TRACKING_STATUSES.filter(isTrackingFinal)

/** 128 random bits each, which no one guesses. Drawn at once, since each call for random bytes takes long. */
function newPageTokens(count: number): string[] {
  const bytes = randomBytes(TOKEN_BYTES * count)
  return Array.from({ length: count }, (_, index) =>
    bytes.toString('base64url', TOKEN_BYTES * index, TOKEN_BYTES * (index + 1)),
  )
}
const TOKEN_BYTES = 16

/** Condition on a `shipment_order o`. */
export const isUnseenByCarrier = sql<boolean>`not exists (
  select 1 from parcel_tracking p where p.order_id = o.id and p.status = any(${UNDER_WAY}::text[]))`

/** `pollAfterMs` from now, null for never; `autoVoidAfterMs` from the purchase, null if the window has no end. */
export type TrackingSchedule = {
  id: number
  pollAfterMs: number | null
  autoVoidAfterMs: number | null
}

/** In the transaction that has the lock of the orders. A parcel that is followed already stays as it is. */
export async function insertTracking(tx: Tx, parcels: readonly TrackingSchedule[]): Promise<void> {
  const column = <T>(pick: (parcel: TrackingSchedule) => T): T[] => parcels.map(pick)
  await sql`
    insert into parcel_tracking (order_id, user_id, next_check_at, auto_void_at, page_token)
      select o.id, o.user_id, clock_timestamp() + s.poll_after_ms * interval '1 millisecond',
          o.purchased_at + s.auto_void_after_ms * interval '1 millisecond', s.page_token
        from unnest(${arrayOf(
          'bigint',
          column(p => p.id),
        )}, ${arrayOf(
          'float8',
          column(p => p.pollAfterMs),
        )},
            ${arrayOf(
              'float8',
              column(p => p.autoVoidAfterMs),
            )}, ${arrayOf('text', newPageTokens(parcels.length))}) as s (id, poll_after_ms, auto_void_after_ms, page_token)
          join shipment_order o on o.id = s.id
        where not exists (select from parcel_tracking p where p.order_id = o.id)
        order by o.id`.execute(tx)
}

/** From the purchase. The same for all other accounts, since only an account knows its void window; longer than each of them. */
const OTHERS_AUTO_VOID_ENDS_MS = 90 * 24 * 60 * 60_000
/** Twice as long, for labels that were voided at the end of their window. */
const OTHERS_VOIDED_TRACKING_ENDS_MS = 2 * OTHERS_AUTO_VOID_ENDS_MS

/** Labels of other accounts wait longer: only their own account can track them. Null after `endMs`. */
const nextTime = (
  accounts: CarrierAccountNames,
  leaseMs: number,
  endMs: number,
): RawBuilder<unknown> =>
  sql`case when ${belongsToAccounts(accounts)} then clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    when o.purchased_at > clock_timestamp() - ${endMs}::float8 * interval '1 millisecond' then clock_timestamp() + interval '6 hours' end`

/** Without parcels of other connected accounts, which claim their own. */
const dueParcels = (others: readonly string[]): RawBuilder<unknown> =>
  others.length === 0
    ? sql`parcel_tracking p where true`
    : sql`parcel_tracking p join shipment_order o on o.id = p.order_id where ${isNotOf(others)}`

/** `attempt`: polls in a row without an answer. `askedAt`: by the database's clock. */
export type ParcelClaim = Postponable & {
  id: number
  round: number
  trackingNumber: string
  askedAt: Date
  attempt: number
  sinceBoughtMs: number
}

const PARCEL_CLAIM_COLUMNS = sql`o.id, o.round, o.tracking_number as "trackingNumber", clock_timestamp() as "askedAt", p.attempt,
  (extract(epoch from clock_timestamp() - o.purchased_at) * 1000)::float8 as "sinceBoughtMs"`

/** Condition on a `shipment_order o`: the carrier has voided it. Its refund may still wait. */
const isVoided = sql<boolean>`(o.state = 'voided' or (o.state = 'voiding' and o.void_confirmed_at is not null))`

/** A voided label is only followed from then on. */
export async function claimParcels(
  tx: Tx,
  accounts: CarrierAccountNames,
  others: readonly string[],
  limit: number,
  leaseMs: number,
): Promise<ParcelClaim[]> {
  const { rows } = await sql<ParcelClaim>`
    with due as materialized (
      select p.order_id from ${dueParcels(others)} and p.next_check_at <= clock_timestamp()
        order by p.next_check_at limit ${limit} for update of p skip locked)
    update parcel_tracking p
      set attempt = p.attempt + 1, told_at = null,
          next_check_at = case when not ${isVoided} then ${nextTime(accounts, leaseMs, TRACKING_ENDS_MS)} end,
          void_check_at = case when ${isVoided} then coalesce(p.void_check_at, clock_timestamp()) else p.void_check_at end
      from due join shipment_order o on o.id = due.order_id
      where p.order_id = due.order_id
      returning ${PARCEL_CLAIM_COLUMNS}, ${isVoided} or not ${belongsToAccounts(accounts)} as "isSkipped"`.execute(
    tx,
  )
  return rows
}

/**
 * When a voided label `o` is looked at next: after `waitMs`, which may be null for never. While its refund waits, the
 * last look is shortly before that is due, so that a scan of the last day stops it too. It is repeated while the carrier does not answer.
 */
const nextVoidedCheck = (
  waitMs: RawBuilder<unknown>,
  isAnswered: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => {
  const daily = sql`clock_timestamp() + ${waitMs} * interval '1 millisecond'`
  const last = sql`o.refund_due_at - ${LOOK_BEFORE_REFUND_MS}::float8 * interval '1 millisecond'`
  return sql`case when o.state = 'voiding' and ${last} > clock_timestamp() and ${waitMs} is not null
    then least(${daily}, ${last})
    when o.state = 'voiding' and ${waitMs} is not null and not ${isAnswered}
    then clock_timestamp() + ${LOOK_AGAIN_MS}::float8 * interval '1 millisecond'
    else ${daily} end`
}

/** From the void on; only parcels that were tracked. */
export async function followVoided(tx: Tx, orderIds: number[], afterMs: number): Promise<void> {
  await sql`
    with mine as materialized (
      select order_id from parcel_tracking
        where order_id = any(${orderIds}::bigint[]) and (next_check_at is not null or last_checked_at is not null)
        order by order_id for update)
    update parcel_tracking p
      set next_check_at = null, void_check_at = ${nextVoidedCheck(sql`${afterMs}::float8`)}
      from mine join shipment_order o on o.id = mine.order_id where p.order_id = mine.order_id`.execute(
    tx,
  )
}

/** For labels that are valid again, since their confirmed void was refused: their parcels are polled again until they have arrived. */
export async function resumePolls(tx: Tx, orderIds: number[]): Promise<void> {
  const isPolledAgain = sql<boolean>`(p.last_checked_at is not null and p.status <> all(${FINAL}::text[]))`
  await sql`
    with mine as materialized (
      select p.order_id from parcel_tracking p
        where p.order_id = any(${orderIds}::bigint[]) and (p.void_check_at is not null or ${isPolledAgain})
        order by p.order_id for update)
    update parcel_tracking p
      set next_check_at = case when ${isPolledAgain} then coalesce(p.next_check_at, clock_timestamp()) else p.next_check_at end,
          void_check_at = null
      from mine where p.order_id = mine.order_id`.execute(tx)
}

export type VoidedClaim = Postponable & {
  id: number
  round: number
  trackingNumber: string
  askedAt: Date
  sinceVoidedMs: number
}

export async function claimVoidedParcels(
  tx: Tx,
  accounts: CarrierAccountNames,
  others: readonly string[],
  limit: number,
  leaseMs: number,
): Promise<VoidedClaim[]> {
  const { rows } = await sql<VoidedClaim>`
    with due as materialized (
      select p.order_id from ${dueParcels(others)} and p.void_check_at <= clock_timestamp()
        order by p.void_check_at limit ${limit} for update of p skip locked)
    update parcel_tracking p
      set attempt = p.attempt + 1, void_check_at = ${nextTime(accounts, leaseMs, OTHERS_VOIDED_TRACKING_ENDS_MS)}
      from due join shipment_order o on o.id = due.order_id
      where p.order_id = due.order_id
      returning o.id, o.round, o.tracking_number as "trackingNumber", clock_timestamp() as "askedAt",
        coalesce(extract(epoch from clock_timestamp() - coalesce(o.voided_at, o.void_confirmed_at)) * 1000, 0)::float8 as "sinceVoidedMs",
        not ${belongsToAccounts(accounts)} as "isSkipped"`.execute(tx)
  return rows
}

/**
 * `waitMs`: null for no further poll. Returns the labels scanned for the first time. A label whose void was refused during the look-up
 * is followed as a live one.
 */
export async function recordVoidedTracking(tx: Tx, updates: TrackingUpdate[]): Promise<number[]> {
  const scanned = updates.filter(({ tracked }) => tracked && isUnderWay(tracked.status))
  await lockParcels(tx, updates)
  const { rows } = await sql<{ id: number }>`
    with s as (
      select s.*, p.scanned_after_void_at is null and s.is_scanned as is_new_scan
        from unnest(${updates.map(({ id }) => id)}::bigint[], ${updates.map(({ waitMs }) => waitMs)}::float8[],
            ${updates.map(({ tracked }) => tracked !== null)}::boolean[], ${updates.map(update => scanned.includes(update))}::boolean[])
            as s (id, wait_ms, is_answered, is_scanned)
          join parcel_tracking p on p.order_id = s.id
    ), changed as (
      update parcel_tracking p
        set void_check_at = ${nextVoidedCheck(sql`s.wait_ms`, sql`s.is_answered`)},
            scanned_after_void_at = case when s.is_new_scan then clock_timestamp() else p.scanned_after_void_at end
        from s join shipment_order o on o.id = s.id and ${isVoided} where p.order_id = s.id
        returning s.id, s.is_new_scan
    )
    select id from changed where is_new_scan`.execute(tx)
  // The status as reported, without another poll as a live label.
  await recordAnswers(tx, updates, false)
  return rows.map(({ id }) => id)
}

/** `tracked`: null without an answer. `waitMs`: null for no further poll. */
export type TrackingUpdate = {
  id: number
  askedAt: Date
  tracked: TrackingResult | null
  waitMs: number | null
}

/** In a statement of its own, so that the next one reads what other look-ups have stored. */
const lockParcels = (tx: Tx, updates: readonly TrackingUpdate[]): Promise<unknown> =>
  sql`select from parcel_tracking where order_id = any(${updates.map(({ id }) => id)}::bigint[])
    order by order_id for update`.execute(tx)

/** After a message that came during the look-up, whose answer may be older. */
const TOLD_WAIT_MS = 60_000

/** Of live labels. */
export async function recordTracking(tx: Tx, updates: TrackingUpdate[]): Promise<void> {
  await lockParcels(tx, updates)
  await recordAnswers(tx, updates, true)
}

/**
 * Of locked parcels. `last_checked_at` is when the stored answer was asked for: one that was asked for earlier changes nothing. A used
 * label stays used: 'unknown' replaces no earlier status, and a late message that the label was
 * made no scan. A new status or event is told to the user's webhooks, and the receiver may get a mail.
 */
async function recordAnswers(
  tx: Tx,
  updates: TrackingUpdate[],
  isPolledOn: boolean,
): Promise<void> {
  await insertEvents(tx, updates)
  const each = <T>(pick: (tracked: TrackingResult) => T) =>
    updates.map(({ tracked }) => tracked && pick(tracked))
  const { rows } = await sql<UpdatedParcel & { isChanged: boolean }>`
    with s as (
      select * from unnest(${updates.map(({ id }) => id)}::bigint[], ${updates.map(({ askedAt }) => askedAt)}::timestamptz[],
        ${each(t => t.status)}::text[], ${each(t => t.detail)}::text[], ${each(t => t.at)}::timestamptz[],
        ${each(t => t.expectedDay ?? null)}::date[], ${updates.map(({ waitMs }) => waitMs)}::float8[],
        ${newPageTokens(updates.length)}::text[]) as s (id, asked_at, status, detail, at, expected_day, wait_ms, page_token)
    ), told as (
      select s.*, s.status is not null as is_told, (coalesce(s.status, 'unknown') <> 'unknown' or p.status = 'unknown')
            and not (s.status = 'pre_transit' and p.status = any(${UNDER_WAY}::text[])) as is_news,
          (s.status, s.at) is distinct from (p.status, p.event_at) as is_other
        from s join parcel_tracking p on p.order_id = s.id
        where p.last_checked_at is null or p.last_checked_at <= s.asked_at
    )
    update parcel_tracking p
      set last_checked_at = case when told.is_told then told.asked_at else p.last_checked_at end,
          attempt = case when told.is_told then 0 else p.attempt end,
          status = case when told.is_told and told.is_news then told.status else p.status end,
          detail = case when told.is_told and told.is_news then told.detail else p.detail end,
          event_at = case when told.is_told and told.is_news then told.at else p.event_at end,
          expected_day = case when told.is_told then coalesce(told.expected_day, p.expected_day) else p.expected_day end,
          page_token = coalesce(p.page_token, told.page_token),
          next_check_at = case when ${isPolledOn} then clock_timestamp() + interval '1 millisecond'
            * case when p.told_at is not null then least(told.wait_ms, ${TOLD_WAIT_MS}) else told.wait_ms end
            else p.next_check_at end
      from told join shipment_order o on o.id = told.id
      where p.order_id = told.id
      returning o.id, o.user_id as "userId", o.batch_id as "batchId", o.tracking_number as "trackingNumber", p.status,
        p.event_at as "eventAt", told.is_told and told.is_news and told.is_other as "isChanged"`.execute(
    tx,
  )
  const changed = rows.filter(({ isChanged }) => isChanged)
  await publish(tx, changed.map(parcelMessage))
  await insertReceiverMails(tx, changed)
}

type UpdatedParcel = {
  id: number
  userId: number
  batchId: number | null
  trackingNumber: string
  status: TrackingStatus
  eventAt: Date | null
}

const parcelMessage = (parcel: UpdatedParcel): OutboxMessage => ({
  userId: parcel.userId,
  type: 'parcel.updated',
  data: {
    orderId: String(parcel.id),
    batchId: parcel.batchId === null ? null : String(parcel.batchId),
    trackingNumber: parcel.trackingNumber,
    status: parcel.status,
    eventAt: parcel.eventAt?.toISOString() ?? null,
  },
})

/** `wasUnseen`: by an earlier poll. */
export type AutoVoidClaim = ParcelClaim & { wasUnseen: boolean }

/** Labels that are due to be voided if unused. */
export async function claimAutoVoids(
  tx: Tx,
  accounts: CarrierAccountNames,
  others: readonly string[],
  limit: number,
  leaseMs: number,
): Promise<AutoVoidClaim[]> {
  const { rows } = await sql<AutoVoidClaim>`
    with due as materialized (
      select p.order_id from ${dueParcels(others)} and p.auto_void_at <= clock_timestamp()
        order by p.auto_void_at limit ${limit} for update of p skip locked)
    update parcel_tracking p set auto_void_at = ${nextTime(accounts, leaseMs, OTHERS_AUTO_VOID_ENDS_MS)}
      from due join shipment_order o on o.id = due.order_id
      where p.order_id = due.order_id
      returning ${PARCEL_CLAIM_COLUMNS}, p.last_checked_at is not null and p.status <> all(${UNDER_WAY}::text[]) as "wasUnseen",
        not ${belongsToAccounts(accounts)} as "isSkipped"`.execute(tx)
  return rows
}

/** For labels that are used, or whose void is requested. */
export async function cancelAutoVoids(tx: Tx, orderIds: number[]): Promise<void> {
  await sql`
    with mine as materialized (
      select order_id from parcel_tracking where order_id = any(${orderIds}::bigint[]) and auto_void_at is not null
        order by order_id for update)
    update parcel_tracking p set auto_void_at = null from mine where p.order_id = mine.order_id`.execute(
    tx,
  )
}
