/** Single orders of several users in one transaction. */
import { sql } from 'kysely'
import { arrayOf } from '#server/platform/database/array-of.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { NewOrder } from './rules.ts'
import { normalizeReference, prefixWithOwner, searchWordsOf } from './search.ts'
import { fieldsOf, itemKeysOf, searchedTexts } from './store.ts'

export type SingleOrder = { userId: number; keyId: number | null; order: NewOrder }

/**
 * Locks existing users and the counts of their orders until the transaction ends, so that they can insert orders and are not
 * deleted; false for those that another transaction has locked. Users without an order have no count.
 */
export async function lockFreeOrderCounts(
  tx: Tx,
  userIds: number[],
): Promise<Map<number, boolean>> {
  const ids = arrayOf('bigint', userIds)
  const { rows } = await sql<{ id: number; isLocked: boolean }>`
    with mine as materialized (
      select c.user_id from user_order_count c join app_user u on u.id = c.user_id
        where c.user_id = any(${ids}) and u.deleted_at is null
        order by c.user_id for key share of u skip locked for update of c skip locked)
    select c.user_id as id, mine.user_id is not null as "isLocked"
      from user_order_count c left join mine using (user_id) where c.user_id = any(${ids})`.execute(
    tx,
  )
  return new Map(rows.map(({ id, isLocked }) => [id, isLocked]))
}

/** When orders are placed; `exact` has the database's microseconds. */
export type OrderTime = { at: Date; exact: string }

/** Read after the counts are locked: later than the orders before. */
export async function readOrderTime(tx: Tx): Promise<OrderTime> {
  const { rows } =
    await sql<OrderTime>`select t as at, t::text as exact from clock_timestamp() t`.execute(tx)
  return rows[0]!
}

/** Inserts orders whose users' counts are locked; `time`: null for now. Returns their ids, in the order given. */
export async function insertSingleOrders(
  tx: Tx,
  placed: SingleOrder[],
  time: OrderTime | null,
): Promise<number[]> {
  const orders = placed.map(({ order }) => order)
  const fields = placed.map(({ userId, keyId, order }, n) => ({
    ...fieldsOf(order),
    turn: n + 1,
    w: userId,
    k: keyId,
    r: order.orderRef === null ? null : normalizeReference(order.orderRef),
    z: prefixWithOwner(userId, searchWordsOf(searchedTexts(order))).join(' '),
  }))
  const items = itemKeysOf(orders)
  const { rows } = await sql<{ id: number }>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(fields)}::json)
        as g (turn int, w bigint, k bigint, u text, s text, c bigint, f jsonb, t jsonb, p jsonb, g text,
          d boolean, x bigint, v bigint, q bigint, a timestamptz, m boolean, o text, i text, l jsonb, r text, z text)),
    clock as materialized (select coalesce(${time?.exact ?? null}::timestamptz, clock_timestamp()) as at),
    tally as (
      update user_order_count t set orders = t.orders + n.orders
        from (select w, count(*)::int as orders from given group by w) n where t.user_id = n.w
        returning t.user_id, t.orders - n.orders as before),
    written as (
      insert into shipment_order (user_id, service_uid, service_name, price_cents, sender, receiver, package,
        signature, saturday, options_cents, price_version_id, quoted_cents, quoted_at, manifested, order_ref, item_ref, items, api_key_id,
        created_at)
      select w, u, s, c, f, t, p, g.g, d, x, v, q, a, m, o, i, l, k, at from given g cross join clock order by turn
      returning id),
    numbered as (select id, row_number() over (order by id) as turn from written),
    itemized as (
      insert into order_item (user_id, reference, item_ref, order_id, placed_at)
      select g.w, i.reference, i.item, n.id, at
        from clock
        cross join unnest(${items.turns}::int[], ${items.references}::text[], ${items.ids}::text[]) as i (turn, reference, item)
        join numbered n on n.turn = i.turn
        join given g on g.turn = i.turn),
    entered as (
      insert into order_list_entry (user_id, position, order_id, placed_at, reference, search_words)
      select g.w, tally.before + row_number() over (partition by g.w order by g.turn), n.id, at, g.r,
          array_to_tsvector(string_to_array(g.z, ' '))
        from clock cross join given g join tally on tally.user_id = g.w join numbered n on n.turn = g.turn)
    select id from numbered order by turn`.execute(tx)
  return rows.map(({ id }) => id)
}

/** A request by its Idempotency-Key. */
export type RequestKey = { userId: number; key: string }

/**
 * For each of the keys the request before, null without one, undefined while another transaction has the key locked. The others
 * stay locked until the transaction ends; keys older than 24 hours are deleted.
 */
export async function findFreeOrderRequests(
  tx: Tx,
  keys: readonly RequestKey[],
): Promise<({ orderId: number; bodyHash: string } | null | undefined)[]> {
  if (keys.length === 0) return []
  const users = arrayOf(
    'bigint',
    keys.map(({ userId }) => userId),
  )
  const texts = arrayOf(
    'text',
    keys.map(({ key }) => key),
  )
  const { rows: locks } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('order-request:' || k.user_id || ':' || k.key, 0)) as "isFree"
      from unnest(${users}, ${texts}) with ordinality as k (user_id, key, turn) order by k.turn`.execute(
    tx,
  )
  const { rows } = await sql<{ turn: number; orderId: number; bodyHash: string }>`
    with asked as materialized (
      select * from unnest(${users}, ${texts}, ${arrayOf(
        'int',
        locks.map(({ isFree }) => Number(isFree)),
      )}) with ordinality as k (user_id, key, is_free, turn)),
    old as (
      delete from order_request r using asked k
        where r.user_id = k.user_id and r.key = k.key and k.is_free = 1 and r.created_at < now() - interval '24 hours')
    select k.turn, r.order_id as "orderId", r.body_hash as "bodyHash"
      from asked k join order_request r using (user_id, key) where r.created_at >= now() - interval '24 hours'`.execute(
    tx,
  )
  const found = new Map(rows.map(({ turn, ...request }) => [turn, request]))
  return locks.map(({ isFree }, n) => (isFree ? (found.get(n + 1) ?? null) : undefined))
}

export async function insertOrderRequests(
  tx: Tx,
  requests: readonly (RequestKey & { bodyHash: string; orderId: number })[],
): Promise<void> {
  if (requests.length === 0) return
  await tx
    .insertInto('order_request')
    .values(
      requests.map(({ userId, key, bodyHash, orderId }) => ({
        user_id: userId,
        key,
        body_hash: bodyHash,
        order_id: orderId,
      })),
    )
    .execute()
}
