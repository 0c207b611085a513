import { sql } from 'kysely'
import type { OrderState } from '#server/orders/rules.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { BatchMemberState } from './rules.ts'
import { inOrder } from './store.ts'

export type BatchRecord = {
  id: number
  key: string
  reference: string | null
  labelFormat: 'pdf' | 'zpl' | null
  createdAt: Date
  updatedAt: Date
}

const COLUMNS = [
  'id',
  'key',
  'reference',
  'label_format as labelFormat',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export const insertBatch = (
  tx: Tx,
  userId: number,
  reference: string | null,
): Promise<BatchRecord> =>
  tx
    .insertInto('api_batch')
    .values({ user_id: userId, reference })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

export const selectBatch = (
  db: Db,
  userId: number,
  key: string,
): Promise<BatchRecord | undefined> =>
  db
    .selectFrom('api_batch')
    .select(COLUMNS)
    .where('key', '=', key)
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** Of any user. */
export const selectBatchOfKey = (
  db: Db,
  key: string,
): Promise<{ id: number; userId: number } | undefined> =>
  db
    .selectFrom('api_batch')
    .select(['id', 'user_id as userId'])
    .where('key', '=', key)
    .executeTakeFirst()

/** In the order of `ids`, which are the user's. */
export async function selectBatchesById(db: Db, ids: readonly number[]): Promise<BatchRecord[]> {
  const rows = await db
    .selectFrom('api_batch')
    .select(COLUMNS)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
  return inOrder(ids, rows)
}

/** A shipment of a batch with the state of its newest order; `tracking`: of a bought one. */
export type BatchMember = {
  batchId: number
  key: string
  reference: string | null
  batchState: BatchMemberState
  batchMessage: string | null
  orderId: number | null
  orderState: OrderState | null
  trackingNumber: string | null
  reason: string | null
}

/** In the order in which they were made. */
export async function selectMembers(
  db: Db,
  batchIds: readonly number[],
): Promise<Map<number, BatchMember[]>> {
  const { rows } = await sql<BatchMember>`
    select s.batch_id as "batchId", s.key, s.reference, s.batch_state as "batchState", s.batch_message as "batchMessage",
        o.id as "orderId", o.state as "orderState", o.tracking_number as "trackingNumber", o.reason
      from api_shipment s left join shipment_order o on o.id = s.order_id
      where s.batch_id = any(${batchIds}::bigint[]) order by s.batch_id, s.id`.execute(db)
  return Map.groupBy(rows, ({ batchId }) => batchId)
}

/** How many members of a batch are in one state. `trackingNumber`: of one of them. */
export type MemberGroup = Pick<BatchMember, 'batchState' | 'orderState' | 'trackingNumber'> & {
  batchId: number
  members: number
}

export async function selectMemberGroups(
  db: Db,
  batchIds: readonly number[],
): Promise<Map<number, MemberGroup[]>> {
  const { rows } = await sql<MemberGroup>`
    select s.batch_id as "batchId", s.batch_state as "batchState", o.state as "orderState",
        min(o.tracking_number) as "trackingNumber", count(*) as members
      from api_shipment s left join shipment_order o on o.id = s.order_id
      where s.batch_id = any(${batchIds}::bigint[])
      group by s.batch_id, s.batch_state, o.state, o.tracking_number is null`.execute(db)
  return Map.groupBy(rows, ({ batchId }) => batchId)
}

/** Locks the batch until the transaction ends. Batches are locked before shipments. */
export async function lockBatch(tx: Tx, id: number): Promise<void> {
  await sql`select 1 from api_batch where id = ${id} for update`.execute(tx)
}

/** Locks the queue of a user until the transaction ends, before any batch. */
export async function lockQueue(tx: Tx, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`easypost-queue:${userId}`}, 0))`.execute(
    tx,
  )
}

export async function countMembers(tx: Tx, id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from api_shipment where batch_id = ${id}`.execute(tx)
  return rows[0]!.count
}

/** Shipments of each batch that has any. */
export async function countMembersOf(
  db: Db,
  batchIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ batchId: number; members: number }>`
    select batch_id as "batchId", count(*) as members from api_shipment
      where batch_id = any(${batchIds}::bigint[]) group by batch_id`.execute(db)
  return new Map(rows.map(({ batchId, members }) => [batchId, members]))
}

export async function countQueued(tx: Tx, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from api_shipment
      where user_id = ${userId} and order_id is null and batch_state = 'queued'`.execute(tx)
  return rows[0]!.count
}

/** `service`: to buy it with; null keeps the one that was named before. */
export type NamedShipment = { key: string; service: string | null }

/** Those of the user that are in no other batch. Returns how many are in this one now. */
export async function addMembers(
  tx: Tx,
  userId: number,
  batchId: number,
  named: readonly NamedShipment[],
): Promise<number> {
  const [keys, services] = [named.map(({ key }) => key), named.map(({ service }) => service)]
  const { rows } = await sql`
    with mine as materialized (
      select s.id, n.service
        from api_shipment s join unnest(${keys}::uuid[], ${services}::text[]) as n (key, service) on n.key = s.key
        where s.user_id = ${userId} and (s.batch_id is null or s.batch_id = ${batchId})
        order by s.id for update of s)
    update api_shipment s
      set batch_id = ${batchId}, batch_service = coalesce(mine.service, s.batch_service), updated_at = clock_timestamp(),
          batch_state = coalesce(s.batch_state, case when s.order_id is null then 'created' else 'ordered' end)
      from mine where s.id = mine.id
      returning 1`.execute(tx)
  return rows.length
}

/** Those not queued. Returns how many were taken out. */
export async function removeMembers(
  tx: Tx,
  batchId: number,
  keys: readonly string[],
): Promise<number> {
  const { rows } = await sql`
    with mine as materialized (
      select id from api_shipment where batch_id = ${batchId} and key = any(${keys}::uuid[]) and batch_state <> 'queued'
        order by id for update)
    update api_shipment s
      set batch_id = null, batch_state = null, batch_service = null, batch_message = null, updated_at = clock_timestamp()
      from mine where s.id = mine.id
      returning 1`.execute(tx)
  return rows.length
}

/**
 * Queues the shipments of a batch that have no order, also refused ones. `keyId`: of the key that
 * buys them. Returns how many were queued.
 */
export async function queueMembers(tx: Tx, batchId: number, keyId: number | null): Promise<number> {
  const { numAffectedRows } = await sql`
    with open as materialized (
      select id from api_shipment where batch_id = ${batchId} and batch_state in ('created', 'refused') and order_id is null
        order by id for update)
    update api_shipment s
      set batch_state = 'queued', batch_message = null, buy_after = clock_timestamp(), api_key_id = ${keyId},
          updated_at = clock_timestamp()
      from open where s.id = open.id`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

export async function touchBatch(
  tx: Tx,
  id: number,
  labelFormat: BatchRecord['labelFormat'] = null,
): Promise<void> {
  await sql`
    update api_batch set updated_at = clock_timestamp(), label_format = coalesce(${labelFormat}, label_format) where id = ${id}`.execute(
    tx,
  )
}

export async function startBuying(tx: Tx, id: number): Promise<void> {
  await sql`update api_batch set is_buying = true, updated_at = clock_timestamp() where id = ${id}`.execute(
    tx,
  )
}

const HAS_ENDED = sql`b.is_buying and not exists (
  select 1 from api_shipment s left join shipment_order o on o.id = s.order_id
    where s.batch_id = b.id and (s.batch_state = 'queued' or o.state in ('queued', 'purchasing', 'unknown')))`

/** Batches whose end was not told yet. */
export async function selectEndedBatches(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select b.id from api_batch b where ${HAS_ENDED} order by b.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Those of `ids` that have still ended. They are locked by a statement of its own: one that waits for the lock does not see what was
 * queued meanwhile.
 */
export async function endBatches(
  tx: Tx,
  ids: readonly number[],
): Promise<{ id: number; userId: number }[]> {
  await sql`select 1 from api_batch where id = any(${ids}::bigint[]) order by id for update`.execute(
    tx,
  )
  const { rows } = await sql<{ id: number; userId: number }>`
    update api_batch b set is_buying = false, updated_at = clock_timestamp()
      where b.id = any(${ids}::bigint[]) and ${HAS_ENDED}
      returning b.id, b.user_id as "userId"`.execute(tx)
  return rows
}

const hasNoShipment = sql`not exists (select 1 from api_shipment s where s.batch_id = b.id)`

/** Of one user, batches without shipments; the oldest go when there are more. */
const MAX_EMPTY_BATCHES = 1_000

export async function deleteEmptyBeyondLimit(tx: Tx, userId: number): Promise<void> {
  await sql`
    delete from api_batch where id in (
      select id from api_batch b where user_id = ${userId} and ${hasNoShipment} and id <= (
          select id from api_batch b where user_id = ${userId} and ${hasNoShipment}
            order by id desc offset ${MAX_EMPTY_BATCHES} limit 1)
        for update skip locked)`.execute(tx)
}

/** Batches that never had a shipment, or lost all of them. Returns how many; at most `limit`. */
export async function deleteEmptyBatches(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from api_batch where id in (
      select b.id from api_batch b
        where b.created_at < clock_timestamp() - interval '7 days'
          and ${hasNoShipment}
        limit ${limit} for update skip locked)
    returning 1`.execute(tx)
  return rows.length
}
