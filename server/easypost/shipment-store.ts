import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { StoredRate, StoredRates } from './rates.ts'
import type { AddressCopy, BatchMemberState, ParcelCopy } from './rules.ts'
import { inOrder } from './store.ts'

export type ShipmentRecord = {
  id: number
  key: string
  reference: string | null
  sender: AddressCopy
  receiver: AddressCopy
  parcel: ParcelCopy
  options: Record<string, unknown>
  rates: StoredRates
  ratedAt: Date
  /** Of the order; null for a draft. */
  selected: StoredRate | null
  orderId: number | null
  batchKey: string | null
  batchService: string | null
  batchState: BatchMemberState | null
  batchMessage: string | null
  createdAt: Date
  updatedAt: Date
}

const COLUMNS = sql`id, key, reference, sender, receiver, parcel, options, rates, rated_at as "ratedAt",
  selected, order_id as "orderId",
  (select b.key from api_batch b where b.id = api_shipment.batch_id) as "batchKey",
  batch_service as "batchService", batch_state as "batchState", batch_message as "batchMessage",
  created_at as "createdAt", updated_at as "updatedAt"`

export type NewShipment = Pick<
  ShipmentRecord,
  | 'reference'
  | 'sender'
  | 'receiver'
  | 'parcel'
  | 'options'
  | 'rates'
  | 'batchService'
  | 'batchMessage'
> & { batchState: BatchMemberState | null }

/** Shipments with the same address write it once a day. */
const YESTERDAY = sql`clock_timestamp() - interval '1 day'`

/**
 * Also keeps the addresses and parcels under the keys that the shipments have, unless they exist. In
 * the given order.
 */
export async function insertShipments(
  tx: Tx,
  userId: number,
  shipments: readonly NewShipment[],
  batchId: number | null,
): Promise<ShipmentRecord[]> {
  const fields = shipments.map((one, turn) => ({
    turn,
    f: one.sender,
    t: one.receiver,
    p: one.parcel,
    o: one.options,
    r: one.rates,
    ref: one.reference,
    svc: one.batchService,
    st: one.batchState,
    msg: one.batchMessage,
  }))
  const { rows } = await sql<ShipmentRecord>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(fields)}::json)
        as r (turn int, f jsonb, t jsonb, p jsonb, o jsonb, r jsonb, ref text, svc text, st text, msg text)),
    addresses as (
      insert into api_address (key, user_id, content, verifications)
      select distinct on (a->>'key') (a->>'key')::uuid, ${userId}::bigint, a->'content', nullif(a->'verifications', 'null'::jsonb)
        from (select f as a from given union all select t from given) as both_sides
      on conflict (key) do update set used_at = clock_timestamp() where api_address.used_at < ${YESTERDAY}),
    parcels as (
      insert into api_parcel (key, user_id, length, width, height, weight)
      select distinct on (p->>'key') (p->>'key')::uuid, ${userId}::bigint, (p->>'length')::float8, (p->>'width')::float8,
          (p->>'height')::float8, (p->>'weight')::float8
        from given
      on conflict (key) do update set used_at = clock_timestamp() where api_parcel.used_at < ${YESTERDAY})
    insert into api_shipment (user_id, reference, sender, receiver, parcel, options, rates, batch_id, batch_service, batch_state,
        batch_message)
      select ${userId}::bigint, ref, f, t, p, o, r, ${batchId}::bigint, svc, st, msg from given order by turn
      returning ${COLUMNS}`.execute(tx)
  return rows.toSorted((a, b) => a.id - b.id)
}

export async function selectShipment(
  db: Db,
  userId: number,
  key: string,
): Promise<ShipmentRecord | undefined> {
  const { rows } = await sql<ShipmentRecord>`
    select ${COLUMNS} from api_shipment where key = ${key}::uuid and user_id = ${userId}`.execute(
    db,
  )
  return rows[0]
}

/** The newest with this reference; one that has an order before drafts. */
export async function selectShipmentByReference(
  db: Db,
  userId: number,
  reference: string,
): Promise<ShipmentRecord | undefined> {
  const { rows } = await sql<ShipmentRecord>`
    select ${COLUMNS} from api_shipment where user_id = ${userId} and reference = ${reference}
      order by (order_id is null), id desc limit 1`.execute(db)
  return rows[0]
}

export async function selectShipmentsById(
  db: Db,
  ids: readonly number[],
): Promise<ShipmentRecord[]> {
  const { rows } = await sql<ShipmentRecord>`
    select ${COLUMNS} from api_shipment where id = any(${ids}::bigint[])`.execute(db)
  return inOrder(ids, rows)
}

export async function selectShipmentsByKey(
  db: Db,
  userId: number,
  keys: readonly string[],
): Promise<ShipmentRecord[]> {
  const { rows } = await sql<ShipmentRecord>`
    select ${COLUMNS} from api_shipment where user_id = ${userId} and key = any(${keys}::uuid[])`.execute(
    db,
  )
  return rows
}

export async function selectShipmentOfOrder(
  db: Db,
  userId: number,
  orderId: number,
): Promise<ShipmentRecord | undefined> {
  const { rows } = await sql<ShipmentRecord>`
    select ${COLUMNS} from api_shipment where order_id = ${orderId} and user_id = ${userId}`.execute(
    db,
  )
  return rows[0]
}

/** Keys of the shipments of orders. */
export async function selectKeysOfOrders(
  db: Db,
  orderIds: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ orderId: number; key: string }>`
    select order_id as "orderId", key from api_shipment where order_id = any(${orderIds}::bigint[])`.execute(
    db,
  )
  return new Map(rows.map(({ orderId, key }) => [orderId, key]))
}

/** The address of the first shipment of each SCAN form, where one was bought through /v2. */
export async function selectSendersOfForms(
  db: Db,
  formIds: readonly number[],
): Promise<Map<number, AddressCopy>> {
  const { rows } = await sql<{ id: number; sender: AddressCopy }>`
    select distinct on (o.scan_form_id) o.scan_form_id as id, s.sender
      from shipment_order o join api_shipment s on s.order_id = o.id
      where o.scan_form_id = any(${formIds}::bigint[]) order by o.scan_form_id, o.id`.execute(db)
  return new Map(rows.map(({ id, sender }) => [id, sender]))
}

/** Locks the shipment until the transaction ends. Returns its newest order. */
export async function lockShipment(
  tx: Tx,
  id: number,
): Promise<{ orderId: number | null } | undefined> {
  const { rows } = await sql<{ orderId: number | null }>`
    select order_id as "orderId" from api_shipment where id = ${id} for update`.execute(tx)
  return rows[0]
}

/** The rates keep the selected one: another connection may have rated the shipment again just before. */
export async function setOrder(
  tx: Tx,
  id: number,
  orderId: number,
  selected: StoredRate,
): Promise<void> {
  const kept = JSON.stringify([selected])
  await sql`
    update api_shipment set order_id = ${orderId}, selected = ${JSON.stringify(selected)}::jsonb, updated_at = clock_timestamp(),
        rates = case when rates->'offers' @> ${kept}::jsonb then rates
          else jsonb_set(rates, '{offers}', ${kept}::jsonb
            || jsonb_path_query_array(rates->'offers', '$[*] ? (@.uid != $uid)', jsonb_build_object('uid', ${selected.uid}::text))) end,
        batch_state = case when batch_state is null then null else 'ordered' end, buy_after = null, batch_message = null
      where id = ${id}`.execute(tx)
}

export async function setRates(tx: Tx, id: number, rates: StoredRates): Promise<void> {
  await sql`
    update api_shipment set rates = ${JSON.stringify(rates)}::jsonb, rated_at = clock_timestamp(), updated_at = clock_timestamp()
      where id = ${id}`.execute(tx)
}

/** Of one user, drafts that are not being bought in a batch; the oldest go when there are more. */
const MAX_DRAFTS = 10_000
const IS_DRAFT = sql`order_id is null and batch_state is distinct from 'queued'`

export async function deleteDraftsBeyondLimit(tx: Tx, userId: number): Promise<void> {
  await sql`
    delete from api_shipment where user_id = ${userId} and ${IS_DRAFT} and id <= (
      select id from api_shipment where user_id = ${userId} and order_id is null order by id desc offset ${MAX_DRAFTS} limit 1)`.execute(
    tx,
  )
}

export async function deleteDraft(tx: Tx, id: number): Promise<void> {
  await sql`delete from api_shipment where id = ${id} and ${IS_DRAFT}`.execute(tx)
}

const DRAFT_DAYS = 7

/** Drafts that were never bought. Returns how many; at most `limit`. */
export async function deleteOldDrafts(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from api_shipment where id in (
      select id from api_shipment where ${IS_DRAFT} and created_at < clock_timestamp() - ${DRAFT_DAYS} * interval '1 day'
        limit ${limit} for update skip locked)
    returning 1`.execute(tx)
  return rows.length
}

/** Those in batches too, and those whose order failed. */
export async function deleteAllUnbought(tx: Tx): Promise<void> {
  await sql`
    delete from api_shipment s where order_id is null
      or exists (select 1 from shipment_order o where o.id = s.order_id and o.state = 'failed')`.execute(
    tx,
  )
}

/** Shipments without a bought label: they are not bought again when their orders fail. */
export async function closeRatesOfOpen(tx: Tx): Promise<void> {
  const closed: StoredRates = { offers: [], unavailable: [], isClosed: true }
  await sql`
    update api_shipment s set rates = ${JSON.stringify(closed)}::jsonb
      from shipment_order o where o.id = s.order_id and o.tracking_number is null`.execute(tx)
}

/**
 * `userId`: whose order is placed. `hasKeyEnded`: the key was deleted or expired meanwhile.
 * `isUserBlocked`: or deleted.
 */
export type BuyClaim = {
  id: number
  userId: number
  keyId: number | null
  hasKeyEnded: boolean
  isUserBlocked: boolean
}

/**
 * Queued shipments of batches, for `leaseMs`; another process takes them over when it ends. Users
 * take turns, so that a long queue delays its own user alone.
 */
export async function claimQueuedShipments(
  tx: Tx,
  limit: number,
  leaseMs: number,
): Promise<BuyClaim[]> {
  const { rows } = await sql<BuyClaim>`
    with candidate as materialized (
      select id from (
        select id, buy_after, row_number() over (partition by user_id order by buy_after, id) as place
          from api_shipment where batch_state = 'queued' and buy_after <= clock_timestamp()) due
        order by place, buy_after limit ${limit}),
    mine as materialized (
      select id from api_shipment where id in (select id from candidate)
          and batch_state = 'queued' and buy_after <= clock_timestamp()
        for update skip locked)
    update api_shipment s set buy_after = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      from mine where s.id = mine.id
      returning s.id, s.user_id as "userId", s.api_key_id as "keyId",
        exists (select 1 from api_key k where k.id = s.api_key_id
          and (k.revoked_at is not null or k.expires_at <= clock_timestamp())) as "hasKeyEnded",
        not exists (select 1 from app_user u where u.id = s.user_id
          and u.activation = 'allow' and u.deleted_at is null) as "isUserBlocked"`.execute(tx)
  return rows
}

/** Only of one that is still queued. */
export async function refuseQueued(tx: Tx, id: number, message: string): Promise<void> {
  await sql`
    update api_shipment set batch_state = 'refused', batch_message = ${message}, buy_after = null, updated_at = clock_timestamp()
      where id = ${id} and batch_state = 'queued'`.execute(tx)
}
