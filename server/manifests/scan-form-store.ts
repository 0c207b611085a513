import { sql } from 'kysely'
import type { WaitingLabel } from '#contract/scan-forms.ts'
import type { PurchasedLabel, StoredAddress } from '#server/carriers/port.ts'
import { belongsToAccounts, labelAccount } from '#server/carriers/service.ts'
import type { CarrierAccountNames } from '#server/carriers/service.ts'
import type { OrderState } from '#server/orders/rules.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { isUnseenByCarrier } from '#server/tracking/service.ts'
import type { ClaimAges, ScanFormRecord, ScanFormVerdict, ServiceCount } from './rules.ts'

/** Of one stored sender and one service; `ids` in no order. */
export type CandidateGroup = { sender: StoredAddress; service: string; ids: number[] }

/** SQL condition on a label `o` of `userId`: bought on the day, in US Eastern time. */
const boughtOn = (day: string) => sql<boolean>`
  o.purchased_at >= ${day}::date::timestamp at time zone 'America/New_York'
  and o.purchased_at < (${day}::date + 1)::timestamp at time zone 'America/New_York'`

/** Valid labels of a day on no form and without a scan, the oldest `limit`. Senders as text: `jsonb` takes long to sort. */
export async function selectCandidates(
  db: Db,
  accounts: CarrierAccountNames,
  userId: number,
  day: string,
  limit: number,
): Promise<CandidateGroup[]> {
  const { rows } = await sql<CandidateGroup>`
    select sender::jsonb as sender, service_name as service, array_agg(id) as ids from (
      select o.id, o.sender::text as sender, o.service_name from shipment_order o
        where o.user_id = ${userId} and o.state = 'purchased' and o.scan_form_id is null and ${boughtOn(day)}
          and ${belongsToAccounts(accounts)} and ${isUnseenByCarrier}
        order by o.purchased_at, o.id limit ${limit}) label
      group by sender, service_name order by min(id)`.execute(db)
  return rows
}

/** In no order. */
export async function describeLabels(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, WaitingLabel>> {
  const { rows } = await sql<Omit<WaitingLabel, 'id'> & { id: number }>`
    select id, tracking_number as "trackingNumber", service_name as service,
        coalesce(nullif(receiver ->> 'name', ''), receiver ->> 'company', '') as receiver,
        coalesce(receiver ->> 'city', '') as city, coalesce(receiver ->> 'state', '') as state
      from shipment_order where id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(row => [row.id, { ...row, id: String(row.id) }]))
}

export async function selectBatchCandidates(
  db: Db,
  accounts: CarrierAccountNames,
  batchId: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id from shipment_order o where o.batch_id = ${batchId} and o.state = 'purchased' and o.scan_form_id is null
      and ${belongsToAccounts(accounts)} and ${isUnseenByCarrier} order by o.id limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export type ChosenLabel = {
  id: number
  state: OrderState
  sender: StoredAddress
  service: string
  scanFormId: number | null
  /** At its carrier; null if none was stored. */
  account: string | null
  isInAccount: boolean
  isUnseen: boolean
}

/** Labels of the user, locked by id until the transaction ends. */
export async function lockChosen(
  tx: Tx,
  accounts: CarrierAccountNames,
  userId: number,
  ids: readonly number[],
): Promise<ChosenLabel[]> {
  const { rows } = await sql<ChosenLabel>`
    select o.id, o.state, o.sender, o.service_name as service, o.scan_form_id as "scanFormId",
        ${labelAccount} as account, ${belongsToAccounts(accounts)} as "isInAccount", ${isUnseenByCarrier} as "isUnseen"
      from shipment_order o where o.id = any(${ids}::bigint[]) and o.user_id = ${userId} order by o.id for update`.execute(
    tx,
  )
  return rows
}

/** New forms of a user wait for each other, so that their limit holds. Lock labels afterwards. */
export async function lockScanFormsOf(tx: Tx, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`scan-forms:${userId}`}, 0))`.execute(
    tx,
  )
}

/** Those whose outcome is open. */
export async function countOpenScanForms(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select count(*)::int as many from scan_form where user_id = ${userId} and state = 'asked'`.execute(
    db,
  )
  return rows[0]!.many
}

export type NewScanForm = {
  userId: number
  requestedBy: number
  sender: StoredAddress
  day: string
  services: ServiceCount[]
  account: string
  ids: readonly number[]
}

/** Assigns the labels, which the caller has locked. Returns the form's id. */
export async function insertScanForm(tx: Tx, form: NewScanForm): Promise<number> {
  const { id } = await tx
    .insertInto('scan_form')
    .values({
      user_id: form.userId,
      requested_by: form.requestedBy,
      sender: JSON.stringify(form.sender),
      day: form.day,
      services: JSON.stringify(form.services),
      labels: form.ids.length,
      carrier_account: form.account,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`update shipment_order set scan_form_id = ${id} where id = any(${form.ids}::bigint[])`.execute(
    tx,
  )
  return id
}

const RECORD = sql`f.id, f.key, f.user_id as "userId", f.state, f.sender, to_char(f.day, 'YYYY-MM-DD') as day, f.services, f.labels,
  f.upstream_ref as "upstreamRef", f.awaits_file as "awaitsFile", f.files, f.problem, f.made_at as "madeAt",
  f.created_at as "createdAt", f.updated_at as "updatedAt",
  (select count(*) from shipment_order o where o.scan_form_id = f.id and o.state in ('voiding', 'voided')) as voided`

/** Newest first, those older than `before`. */
export async function selectScanForms(
  db: Db,
  userId: number,
  before: number | null,
  limit: number,
): Promise<ScanFormRecord[]> {
  const { rows } = await sql<ScanFormRecord>`
    select ${RECORD} from scan_form f where f.user_id = ${userId} and f.id < coalesce(${before}::bigint, 9223372036854775807)
      order by f.id desc limit ${limit}`.execute(db)
  return rows
}

/** In no order. */
export async function findScanForms(db: Db, ids: readonly number[]): Promise<ScanFormRecord[]> {
  const { rows } = await sql<ScanFormRecord>`
    select ${RECORD} from scan_form f where f.id = any(${ids}::bigint[])`.execute(db)
  return rows
}

/** The form whose valid labels are these labels of the user, or null. */
export async function findScanFormOfLabels(
  db: Db,
  userId: number,
  orderIds: readonly number[],
): Promise<ScanFormRecord | null> {
  const { rows } = await sql<{ id: number }>`
    select o.scan_form_id as id from shipment_order o
      where o.id = any(${orderIds}::bigint[]) and o.user_id = ${userId} and o.state = 'purchased' and o.scan_form_id is not null
      group by o.scan_form_id
      having count(*) = ${orderIds.length} and count(*) = (
        select count(*) from shipment_order f where f.scan_form_id = o.scan_form_id and f.state = 'purchased')`.execute(
    db,
  )
  return rows[0] ? (await findScanForms(db, [rows[0].id]))[0]! : null
}

/** Of any user. */
export async function findScanFormOfKey(db: Db, key: string): Promise<ScanFormRecord | undefined> {
  const { rows } = await sql<ScanFormRecord>`
    select ${RECORD} from scan_form f where f.key = ${key}::uuid`.execute(db)
  return rows[0]
}

export async function selectTrackingNumbers(
  db: Db,
  formIds: readonly number[],
): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ id: number; numbers: string[] }>`
    select scan_form_id as id, array_agg(tracking_number order by id) as numbers from shipment_order
      where scan_form_id = any(${formIds}::bigint[]) group by 1`.execute(db)
  return new Map(rows.map(({ id, numbers }) => [id, numbers]))
}

/** `isCallOpen`: an earlier call may have made it. */
export type ScanFormClaim = ClaimAges & {
  id: number
  key: string
  fence: number
  state: 'asked' | 'made'
  sender: StoredAddress
  day: string
  ref: string | null
  isCallOpen: boolean
  labels: number
}

/**
 * Due forms of these accounts, or those among `only`; users take turns. The claim of a form without
 * an open call notes one: the caller makes it after the commit.
 */
export async function claimScanForms(
  tx: Tx,
  accounts: CarrierAccountNames,
  limit: number,
  leaseMs: number,
  only?: readonly number[],
): Promise<ScanFormClaim[]> {
  const isDue = sql`(f.state = 'asked' or f.awaits_file) and f.run_after <= clock_timestamp()
    and f.carrier_account = any(${accounts}::text[]) ${only ? sql`and f.id = any(${only}::bigint[])` : sql``}`
  const { rows } = await sql<ScanFormClaim>`
    with turns as materialized (
      select id, row_number() over (partition by user_id order by run_after, id) as turn from scan_form f where ${isDue}),
    due as materialized (
      select f.id, f.called_at from scan_form f join turns t on t.id = f.id where ${isDue}
        order by t.turn, f.run_after limit ${limit} for update of f skip locked)
    update scan_form f
      set fence = f.fence + 1, attempt = f.attempt + 1, run_after = clock_timestamp() + ${leaseMs} * interval '1 millisecond',
        called_at = coalesce(f.called_at, clock_timestamp()), updated_at = clock_timestamp()
      from due where f.id = due.id
      returning f.id, f.key, f.fence, f.attempt, f.state, f.sender, to_char(f.day, 'YYYY-MM-DD') as day, f.upstream_ref as ref,
        due.called_at is not null as "isCallOpen", f.labels,
        (extract(epoch from clock_timestamp() - f.created_at) * 1000)::float8 as "sinceCreatedMs",
        (extract(epoch from clock_timestamp() - due.called_at) * 1000)::float8 as "sinceCalledMs"`.execute(
    tx,
  )
  return rows
}

/**
 * Before the first call: labels that are not valid any more leave the forms, which count again.
 * Waits for no order: its caller holds the carrier account's budget, and one that is being voided at
 * this moment counts as voided afterwards.
 */
export async function dropInvalidLabels(tx: Tx, formIds: readonly number[]): Promise<void> {
  const { numAffectedRows } = await sql`
    with gone as materialized (
      select id from shipment_order where scan_form_id = any(${formIds}::bigint[]) and state <> 'purchased' order by id
        for update skip locked)
    update shipment_order o set scan_form_id = null from gone where o.id = gone.id`.execute(tx)
  if (numAffectedRows === 0n) return
  await sql`
    with counted as (
      select scan_form_id as id, service_name as name, count(*)::int as labels from shipment_order
        where scan_form_id = any(${formIds}::bigint[]) group by 1, 2),
    total as (
      select id, sum(labels)::int as labels, jsonb_agg(jsonb_build_object('name', name, 'labels', labels) order by name) as services
        from counted group by id)
    update scan_form f set labels = total.labels, services = total.services from total where f.id = total.id`.execute(
    tx,
  )
}

/** In the order of their ids. */
export async function selectLabelsOf(db: Db, formId: number): Promise<PurchasedLabel[]> {
  const { rows } = await sql<{ id: number; round: number; trackingNumber: string }>`
    select id, round, tracking_number as "trackingNumber" from shipment_order where scan_form_id = ${formId} order by id`.execute(
    db,
  )
  return rows.map(({ id, round, trackingNumber }) => ({
    attempt: { reference: String(id), round },
    trackingNumber,
  }))
}

/** Null if the claim has an old fence; else the form's user. `files` replace earlier ones. */
export async function writeVerdict(
  tx: Tx,
  { id, fence }: Pick<ScanFormClaim, 'id' | 'fence'>,
  verdict: ScanFormVerdict,
  files: readonly string[] | null,
): Promise<{ userId: number } | null> {
  const isOpen = verdict.state === 'asked'
  const { rows } = await sql<{ userId: number }>`
    update scan_form set state = ${verdict.state}, problem = ${verdict.problem}, updated_at = clock_timestamp(),
        called_at = case when ${isOpen && !verdict.isCallOpen} then null else called_at end,
        upstream_ref = ${'ref' in verdict ? verdict.ref : null},
        awaits_file = ${verdict.state === 'made' && verdict.awaitsFile}, files = coalesce(${files}::text[], files),
        run_after = clock_timestamp() + ${'waitMs' in verdict ? verdict.waitMs : 0} * interval '1 millisecond',
        made_at = ${verdict.state === 'made' ? sql`coalesce(made_at, clock_timestamp())` : null}
      where id = ${id} and fence = ${fence}
      returning user_id as "userId"`.execute(tx)
  return rows[0] ?? null
}

/** The labels of a refused form can be put on another. */
export async function freeLabels(tx: Tx, formId: number): Promise<void> {
  await sql`
    with its as materialized (select id from shipment_order where scan_form_id = ${formId} order by id for update)
    update shipment_order o set scan_form_id = null from its where o.id = its.id`.execute(tx)
}

/** Open forms may have been made since the backup. Returns how many there are. */
export async function lookUpAllScanForms(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update scan_form set fence = fence + 1, called_at = coalesce(called_at, clock_timestamp()), run_after = clock_timestamp()
      where state = 'asked'`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
