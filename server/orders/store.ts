import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { LabelOptions } from '#contract/label-options.ts'
import { cents } from '#contract/money.ts'
import { arrayOf } from '#server/platform/database/array-of.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { toRowItem, toStoredItem } from './rules.ts'
import type { NewOrder, OrderRecord, OrderState, StoredItem, TrackingRecord } from './rules.ts'
import { orderKeyOf, prefixWithOwner, normalizeReference, searchWordsOf } from './search.ts'

/** What labels and files need of an order, besides its state. */
export const ROW_COLUMNS = [
  'id',
  'row_no as rowNo',
  'service_name as serviceName',
  'price_cents as price',
  'sender',
  'receiver',
  'package',
  'signature',
  'saturday',
  'order_ref as orderRef',
  'item_ref as itemRef',
  'items',
  'tracking_number as trackingNumber',
  'reason',
  'purchased_at as purchasedAt',
] as const

const COLUMNS = [
  ...ROW_COLUMNS,
  'user_id as userId',
  'batch_id as batchId',
  'round',
  'manifested',
  'pdf_key as pdfKey',
  'replaced_by as replacedBy',
  'void_reason as voidReason',
  'void_submitted_at as voidSubmittedAt',
  'void_confirmed_at as voidConfirmedAt',
  'refund_due_at as refundDueAt',
  'voided_at as voidedAt',
  'created_at as createdAt',
] as const

/** `seen`: the carrier has answered a tracking poll of this parcel. `page`: token of the public page. */
const TRACKING = sql<RawTrackingRecord | null>`(
  select json_build_object('status', p.status, 'detail', p.detail, 'at', p.event_at, 'seen', p.last_checked_at is not null,
      'page', p.page_token)
    from parcel_tracking p where p.order_id = shipment_order.id)`.as('tracking')
type RawTrackingRecord = Omit<TrackingRecord, 'at'> & {
  at: string | null
  seen: boolean
  page: string | null
}

/** The SCAN form that the label is on, or may be on. */
const SCAN_FORM = sql<OrderRecord['scanForm']>`(
  select json_build_object('id', f.id, 'state', f.state) from scan_form f where f.id = shipment_order.scan_form_id)`.as(
  'scanForm',
)

/** A queued label that a carrier has been asked for is being purchased. */
const STATE = sql<OrderState>`case when shipment_order.state <> 'queued' then shipment_order.state
  when exists (select from open_carrier_call c where c.order_id = shipment_order.id) then 'purchasing' else 'queued' end`.as(
  'state',
)

/** The columns of `toOrderRecord`. */
export const ORDER_SELECTION = [...COLUMNS, STATE, TRACKING, SCAN_FORM] as const

/** An order's fields as `ROW_COLUMNS` have them. */
export type RawFields<Fields> = Omit<Fields, 'price' | 'items' | 'options'>
  & LabelOptions & { price: number; items: StoredItem[] | null }

/** The same fields as an order has them: price in cents, options and items by their types. Other fields are kept. */
export const toFields = <Raw extends RawFields<object>>({
  price,
  items,
  signature,
  saturday,
  ...raw
}: Raw) => ({
  ...raw,
  price: cents(price),
  options: { signature, saturday },
  items: items?.map(toRowItem) ?? null,
})

type RawOrder = RawFields<Omit<OrderRecord, 'tracking'>> & { tracking: RawTrackingRecord | null }

export const toOrderRecord = ({ tracking, ...raw }: RawOrder): OrderRecord => ({
  ...toFields(raw),
  pageToken: tracking?.page ?? null,
  tracking: tracking?.seen
    ? {
        status: tracking.status,
        detail: tracking.detail,
        at: tracking.at === null ? null : new Date(tracking.at),
      }
    : null,
})

/**
 * For `insertOrders`. Rows are counted from 1, or on from the rows inserted `before`. `keyId`: of a single order; rows have
 * that of their batch.
 */
export type OrdersToInsert = {
  userId: number
  orders: NewOrder[]
  batchId: number | null
  before?: number
  keyId?: number | null
}

/**
 * Returns the first id. The row of user_order_count serializes the inserts of one user, so that ids, times and list positions
 * have the same order.
 */
export const insertOrders = (tx: Tx, given: OrdersToInsert): Promise<number> =>
  prepareInsert(given)(tx)

/** The same in two steps: the next orders can be prepared while the database inserts these. */
export function prepareInsert(given: OrdersToInsert): (tx: Tx) => Promise<number> {
  const inserts: RawBuilder<{ id: number }>[] = []
  for (let from = 0; from < given.orders.length; from += ROWS_PER_INSERT)
    inserts.push(insertOf(given, from))
  return async tx => {
    let first = 0
    for (const insert of inserts) {
      const { rows } = await insert.execute(tx)
      first ||= rows[0]!.id
    }
    return first
  }
}

const ROWS_PER_INSERT = 5_000

function insertOf(
  { userId, orders, batchId, before = 0, keyId = null }: OrdersToInsert,
  from: number,
): RawBuilder<{ id: number }> {
  const part = orders.slice(from, from + ROWS_PER_INSERT)
  const { lines, packages, shared } = shareFields(part)
  const words = part.map(order =>
    prefixWithOwner(userId, searchWordsOf(searchedTexts(order))).join(' '),
  )
  const references = part.map(order =>
    order.orderRef === null ? null : normalizeReference(order.orderRef),
  )
  const items = itemKeysOf(part)
  return sql<{ id: number }>`
    with tally as (
      insert into user_order_count as t (user_id, orders) values (${userId}, ${part.length})
        on conflict (user_id) do update set orders = t.orders + excluded.orders
        returning t.orders - ${part.length} as before, clock_timestamp() as at),
    line as materialized (
      select n, text::jsonb as r from string_to_table(${lines}, E'\n') with ordinality as line (text, n)),
    written as (
      insert into shipment_order (user_id, batch_id, row_no, service_uid, service_name, price_cents, sender, receiver, package,
        signature, saturday, options_cents, price_version_id, quoted_cents, quoted_at, manifested, order_ref, item_ref, items, api_key_id,
        created_at)
      select ${userId}::bigint, ${batchId}::bigint, ${batchId === null ? null : before + from}::int + n, h.u, h.s, (r->'c')::bigint, h.f,
        r->'t', p.p, h.g, h.d, h.x, h.v, (r->'q')::bigint, (r->>'a')::timestamptz, h.m, r->>'o', r->>'i', r->'l', ${keyId}::bigint, tally.at
        from line
        join json_to_recordset(${JSON.stringify(packages)}::json) as p (k int, p jsonb) on p.k = (r->'k')::int
        join json_to_recordset(${JSON.stringify(shared)}::json)
          as h (k int, u text, s text, f jsonb, g text, d boolean, x bigint, v bigint, m boolean) on h.k = (r->'h')::int
        cross join tally
        order by n
      returning id),
    numbered as (select id, row_number() over (order by id) as turn from written),
    itemized as (
      insert into order_item (user_id, reference, item_ref, order_id, placed_at)
      select ${userId}::bigint, i.reference, i.item, n.id, tally.at
        from tally
        cross join unnest(${items.turns}::int[], ${items.references}::text[], ${items.ids}::text[]) as i (turn, reference, item)
        join numbered n on n.turn = i.turn),
    entered as (
      insert into order_list_entry (user_id, position, order_id, placed_at, reference, search_words)
      select ${userId}::bigint, tally.before + e.turn, w.id, tally.at, e.reference, array_to_tsvector(string_to_array(e.words, ' '))
        from tally
        cross join numbered w
        join unnest(${references}::text[], ${words}::text[]) with ordinality as e (reference, words, turn) on e.turn = w.turn)
    select min(id) as id from written`
}

/**
 * Fields that are the same in most rows, such as sender, service and package, are sent once. A line of JSON takes half the time of one
 * in a list. `h` and `k`: the keys of its shared fields and its package.
 */
function shareFields(orders: readonly NewOrder[]) {
  const shared = createKeys()
  const packages = createKeys()
  const lines = orders.map(order => {
    const { c, t, p, q, a, o, i, l, ...common } = fieldsOf(order)
    const [h, k] = [shared.keyOf(common), packages.keyOf({ p })]
    return JSON.stringify({ h, k, c, t, ...notNull({ q, a, o, i, l }) })
  })
  return { lines: lines.join('\n'), packages: packages.records, shared: shared.records }
}

/** Equal fields have the same key, `k` of their record. */
function createKeys() {
  const keys = new Map<string, number>()
  const records: object[] = []
  const keyOf = (fields: object): number => {
    const text = JSON.stringify(fields)
    const known = keys.get(text)
    if (known !== undefined) return known
    const k = keys.size
    keys.set(text, k)
    records.push({ k, ...fields })
    return k
  }
  return { records, keyOf }
}

/** A field that is not sent is null. */
function notNull(fields: Record<string, unknown>): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const name in fields) if (fields[name] !== null) found[name] = fields[name]
  return found
}

/** By the names of the statements' records. */
export const fieldsOf = (order: NewOrder) => ({
  u: order.serviceUid,
  s: order.serviceName,
  c: order.price,
  f: order.sender,
  t: order.receiver,
  p: order.package,
  g: order.options.signature,
  d: order.options.saturday,
  x: order.optionsPrice,
  v: order.priceVersionId,
  q: order.quote?.cost ?? null,
  a: order.quote?.askedAt ?? null,
  m: order.manifested,
  o: order.orderRef,
  i: order.itemRef,
  l: order.items?.map(toStoredItem) ?? null,
})

/** Including the other orders of a combined row. */
export const searchedTexts = ({
  sender,
  receiver,
  orderRef,
  items,
}: NewOrder): (string | null)[] => [
  sender.name,
  receiver.name,
  orderRef,
  ...new Set(items?.flatMap(({ orderId }) => orderId ?? [])),
]

/** As columns. `turns`: places of the orders, from 1. Without items that belong to no order. */
export function itemKeysOf(orders: NewOrder[]): {
  turns: number[]
  references: string[]
  ids: (string | null)[]
} {
  const found = orders.flatMap(({ orderRef, items }, index) =>
    (items ?? []).map(({ orderId, orderItemId }) => ({
      turn: index + 1,
      reference: orderKeyOf(orderId ?? orderRef ?? ''),
      id: orderItemId || null,
    })),
  )
  const keys = found.filter(({ reference }) => reference !== '')
  return {
    turns: keys.map(({ turn }) => turn),
    references: keys.map(({ reference }) => reference),
    ids: keys.map(({ id }) => id),
  }
}

export async function findOrder(db: Db, id: number): Promise<OrderRecord | undefined> {
  const row = await db
    .selectFrom('shipment_order')
    .select(ORDER_SELECTION)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toOrderRecord(row)
}

/** Leaves out orders that do not exist. In no order. */
export async function findOrders(db: Db, ids: number[]): Promise<OrderRecord[]> {
  const rows = await db
    .selectFrom('shipment_order')
    .select(ORDER_SELECTION)
    .where('id', '=', sql<number>`any(${arrayOf('bigint', ids)})`)
    .execute()
  return rows.map(toOrderRecord)
}

export async function selectVoiding(db: Db, ids: number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('shipment_order')
    .select('id')
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .where('state', '=', 'voiding')
    .execute()
  return rows.map(row => row.id)
}

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

/** Keys older than 24 hours are deleted. The key stays locked until the transaction ends. */
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

/** Keys that `findOrderRequest` would delete. Returns their number, at most `limit`. */
export async function deleteOldOrderRequests(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql`delete from order_request where (user_id, key) in (
      select user_id, key from order_request where created_at < now() - interval '24 hours' limit ${limit} for update skip locked)
    returning 1`.execute(tx)
  return rows.length
}

/** More orders than any installation places after a backup: three years at 10 a second. */
const ORDER_SEQUENCE_GAP = 1_000_000_000

/**
 * The carrier knows labels under the ids of orders placed after the backup. A new order with such
 * an id would receive another order's label.
 */
export async function advanceOrderSequence(tx: Tx): Promise<void> {
  const sequence = sql`pg_get_serial_sequence('shipment_order', 'id')`
  await sql`select setval(${sequence}, nextval(${sequence}) + ${ORDER_SEQUENCE_GAP})`.execute(tx)
}
