import { sql } from 'kysely'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { OrderState, StoredAddress, StoredPackage } from '#server/platform/database/tables.ts'
import type { NewOrder } from './rules.ts'
import { prefixWithOwner, normalizeReference, searchWordsOf } from './search.ts'

/** An order as it is read. */
export type OrderRecord = {
  id: number
  userId: number
  batchId: number | null
  rowNo: number | null
  state: OrderState
  round: number
  serviceName: string
  price: Cents
  sender: StoredAddress
  receiver: StoredAddress
  package: StoredPackage
  manifested: boolean
  orderRef: string | null
  itemRef: string | null
  pdfKey: string
  trackingNumber: string | null
  reason: string | null
  replacedBy: number | null
  purchasedAt: Date | null
  voidReason: string | null
  voidSubmittedAt: Date | null
  voidedAt: Date | null
  createdAt: Date
  tracking: TrackingRecord | null
}

/** Where a parcel was when its carrier was asked last; `at` is when the carrier saw it there, `detail` its own words. */
export type TrackingRecord = { status: TrackingStatus; detail: string | null; at: Date | null }

const COLUMNS = [
  'id',
  'user_id as userId',
  'batch_id as batchId',
  'row_no as rowNo',
  'state',
  'round',
  'service_name as serviceName',
  'price_cents as price',
  'sender',
  'receiver',
  'package',
  'manifested',
  'order_ref as orderRef',
  'item_ref as itemRef',
  'pdf_key as pdfKey',
  'tracking_number as trackingNumber',
  'reason',
  'replaced_by as replacedBy',
  'purchased_at as purchasedAt',
  'void_reason as voidReason',
  'void_submitted_at as voidSubmittedAt',
  'voided_at as voidedAt',
  'created_at as createdAt',
] as const

/** Null until the carrier was asked. */
const TRACKING = sql<RawTrackingRecord | null>`(
  select json_build_object('status', p.status, 'detail', p.detail, 'at', p.seen_at)
    from parcel_tracking p where p.order_id = shipment_order.id and p.last_checked_at is not null)`.as(
  'tracking',
)
type RawTrackingRecord = Omit<TrackingRecord, 'at'> & { at: string | null }

type RawOrder = Omit<OrderRecord, 'price' | 'tracking'> & {
  price: number
  tracking: RawTrackingRecord | null
}
const toOrderRecord = ({ price, tracking, ...raw }: RawOrder): OrderRecord => ({
  ...raw,
  price: cents(price),
  tracking: tracking && { ...tracking, at: tracking.at === null ? null : new Date(tracking.at) },
})

/** Rows of one INSERT; more are sent in several, inside the same transaction. */
const ROWS_PER_INSERT = 5_000

/**
 * Writes orders as queued, in their order, each with its entry for lists and searches; with a batch each has its row, counted from 1,
 * or on from the rows written `before`. Returns the first order's number. A user's orders are written one transaction after the other,
 * so that their numbers, their times and their places in his list agree.
 */
export async function insertOrders(
  tx: Tx,
  userId: number,
  orders: NewOrder[],
  batchId: number | null,
  before = 0,
): Promise<number> {
  let first = 0
  for (let from = 0; from < orders.length; from += ROWS_PER_INSERT) {
    const part = orders.slice(from, from + ROWS_PER_INSERT)
    const fields = part.map((order, i) => ({
      n: batchId === null ? null : before + from + i + 1,
      u: order.serviceUid,
      s: order.serviceName,
      c: order.price,
      f: order.sender,
      t: order.receiver,
      p: order.package,
      m: order.manifested,
      o: order.orderRef,
      i: order.itemRef,
    }))
    const words = part.map(order =>
      prefixWithOwner(
        userId,
        searchWordsOf([order.sender.name, order.receiver.name, order.orderRef]),
      ).join(' '),
    )
    const references = part.map(order =>
      order.orderRef === null ? null : normalizeReference(order.orderRef),
    )
    const { rows } = await sql<{ id: number }>`
      with tally as (
        insert into user_order_count as t (user_id, n) values (${userId}, ${part.length})
          on conflict (user_id) do update set n = t.n + excluded.n returning t.n - ${part.length} as before, clock_timestamp() as at),
      written as (
        insert into shipment_order (user_id, batch_id, row_no, service_uid, service_name, price_cents, sender, receiver, package,
          manifested, order_ref, item_ref, created_at)
        select ${userId}::bigint, ${batchId}::bigint, r.n, r.u, r.s, r.c, r.f, r.t, r.p, r.m, r.o, r.i, tally.at
          from json_to_recordset(${JSON.stringify(fields)}::json)
            as r (n int, u text, s text, c bigint, f jsonb, t jsonb, p jsonb, m boolean, o text, i text)
          cross join tally
          order by r.n
        returning id),
      entered as (
        insert into order_list_entry (user_id, n, order_id, placed_at, reference, words)
        select ${userId}::bigint, tally.before + e.turn, w.id, tally.at, e.reference, array_to_tsvector(string_to_array(e.words, ' '))
          from tally
          cross join (select id, row_number() over (order by id) as turn from written) w
          join unnest(${references}::text[], ${words}::text[]) with ordinality as e (reference, words, turn) on e.turn = w.turn)
      select min(id) as id from written`.execute(tx)
    first ||= rows[0]!.id
  }
  return first
}

export async function findOrder(db: Db, id: number): Promise<OrderRecord | undefined> {
  const row = await db
    .selectFrom('shipment_order')
    .select([...COLUMNS, TRACKING])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toOrderRecord(row)
}

/** Orders by their numbers; those that do not exist are left out. */
export async function findOrders(db: Db, ids: number[]): Promise<OrderRecord[]> {
  const rows = await db
    .selectFrom('shipment_order')
    .select([...COLUMNS, TRACKING])
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
  return rows.map(toOrderRecord)
}

/** Which of these orders are being voided. */
export async function selectVoiding(db: Db, ids: number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('shipment_order')
    .select('id')
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .where('state', '=', 'voiding')
    .execute()
  return rows.map(row => row.id)
}

/** A batch's labels in the order of its table, page by page: pass the last row read. */
export async function selectBatchRows(
  db: Db,
  batchId: number,
  afterRow: number,
  limit: number,
): Promise<OrderRecord[]> {
  const rows = await db
    .selectFrom('shipment_order')
    .select([...COLUMNS, TRACKING])
    .where('batch_id', '=', batchId)
    .where('row_no', '>', afterRow)
    .orderBy('row_no')
    .limit(limit)
    .execute()
  return rows.map(toOrderRecord)
}

/** A label that did not come to be: failed, or unknown. */
export type UnboughtRow = {
  batchId: number
  row: number
  state: 'failed' | 'unknown'
  receiver: string
  itemRef: string | null
  reason: string | null
  replacedBy: number | null
}

/** Labels of batches that did not come to be, in the order of their rows; at most `each` of a batch. */
export async function selectUnbought(
  db: Db,
  batchIds: number[],
  each: number | null,
): Promise<UnboughtRow[]> {
  const { rows } = await sql<UnboughtRow>`
    select b.id as "batchId", o.*
      from unnest(${batchIds}::bigint[]) as b (id)
      cross join lateral (
        select row_no as "row", state, receiver ->> 'name' as receiver, item_ref as "itemRef", reason, replaced_by as "replacedBy"
          from shipment_order where batch_id = b.id and state in ('failed', 'unknown') order by row_no limit ${each}) o`.execute(
    db,
  )
  return rows
}

/** Failed labels of a batch that may be bought again, in the order of their rows. */
export async function selectRetryable(db: Db, batchId: number): Promise<OrderRecord[]> {
  const rows = await db
    .selectFrom('shipment_order')
    .select([...COLUMNS, TRACKING])
    .where('batch_id', '=', batchId)
    .where('state', '=', 'failed')
    .where('replaced_by', 'is', null)
    .orderBy('row_no')
    .execute()
  return rows.map(toOrderRecord)
}

export type StateCounts = Record<OrderState, number>

/** How many labels of each batch are in each state. */
export async function countStates(db: Db, batchIds: number[]): Promise<Map<number, StateCounts>> {
  const counts = new Map(
    batchIds.map(id => [
      id,
      { queued: 0, purchasing: 0, unknown: 0, purchased: 0, failed: 0, voiding: 0, voided: 0 },
    ]),
  )
  if (batchIds.length === 0) return counts
  const rows = await db
    .selectFrom('shipment_order')
    .select(['batch_id', 'state', eb => eb.fn.countAll<number>().as('n')])
    .where('batch_id', 'in', batchIds)
    .groupBy(['batch_id', 'state'])
    .execute()
  for (const row of rows) counts.get(row.batch_id!)![row.state] = row.n
  return counts
}

/** Whether a batch still has labels that are queued or being bought. */
export async function hasOpenRows(db: Db, batchId: number): Promise<boolean> {
  const row = await db
    .selectFrom('shipment_order')
    .select('id')
    .where('batch_id', '=', batchId)
    .where('state', 'in', ['queued', 'purchasing'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** How many failed labels of a batch could be bought again. */
export async function countRetryable(db: Db, batchId: number): Promise<number> {
  const row = await db
    .selectFrom('shipment_order')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .where('batch_id', '=', batchId)
    .where('state', '=', 'failed')
    .where('replaced_by', 'is', null)
    .executeTakeFirstOrThrow()
  return row.n
}

/** Gives failed orders over to the batch that buys them anew, edited. Returns how many there were to give. */
export async function replaceOrders(
  tx: Tx,
  userId: number,
  ids: number[],
  byBatch: number,
): Promise<number> {
  const { rows } = await sql`
    with given as materialized (
      select id from shipment_order where id = any(${ids}::bigint[]) and user_id = ${userId} and state = 'failed' and replaced_by is null
        and batch_id is not null order by id for update)
    update shipment_order o set replaced_by = ${byBatch} from given where o.id = given.id returning o.id`.execute(
    tx,
  )
  return rows.length
}

export async function selectBatchIdsOfOrders(
  db: Db,
  userId: number,
  ids: number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct batch_id as id from shipment_order
    where id = any(${ids}::bigint[]) and user_id = ${userId} and batch_id is not null order by 1`.execute(
    db,
  )
  return rows.map(row => row.id)
}

/** Remembers that this key stands for this order. */
export async function insertOrderRequest(
  tx: Tx,
  userId: number,
  key: string,
  bodyHash: string,
  orderId: number,
): Promise<void> {
  await tx
    .insertInto('order_request')
    .values({ user_id: userId, key, body_hash: bodyHash, order_id: orderId })
    .execute()
}

/** The order behind a key of the last 24 hours; an older key is forgotten. The key stays locked until the transaction ends. */
export async function findOrderRequest(
  tx: Tx,
  userId: number,
  key: string,
): Promise<{ orderId: number; bodyHash: string } | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`order-request:${userId}:${key}`}, 0))`.execute(
    tx,
  )
  await sql`delete from order_request where user_id = ${userId} and key = ${key} and created_at < now() - interval '24 hours'`.execute(
    tx,
  )
  const row = await tx
    .selectFrom('order_request')
    .selectAll()
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row && { orderId: row.order_id, bodyHash: row.body_hash }
}
