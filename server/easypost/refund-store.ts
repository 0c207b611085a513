import { sql } from 'kysely'
import { reverseText } from '#server/orders/search.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { inOrder } from './store.ts'

export type RefundRecord = { id: number; key: string; orderId: number; createdAt: Date }

const COLUMNS = ['id', 'key', 'order_id as orderId', 'created_at as createdAt'] as const

/** A second refund of an order is the first one. */
export async function insertRefunds(
  tx: Tx,
  userId: number,
  orderIds: readonly number[],
): Promise<void> {
  await sql`
    insert into api_refund (user_id, order_id) select ${userId}::bigint, unnest(${orderIds}::bigint[])
      on conflict (order_id) do nothing`.execute(tx)
}

export async function selectRefundsOfOrders(
  db: Db,
  orderIds: readonly number[],
): Promise<Map<number, RefundRecord>> {
  const rows = await db
    .selectFrom('api_refund')
    .select(COLUMNS)
    .where('order_id', '=', sql<number>`any(${orderIds}::bigint[])`)
    .execute()
  return new Map(rows.map(row => [row.orderId, row]))
}

export const selectRefund = (
  db: Db,
  userId: number,
  key: string,
): Promise<RefundRecord | undefined> =>
  db
    .selectFrom('api_refund')
    .select(COLUMNS)
    .where('key', '=', key)
    .where('user_id', '=', userId)
    .executeTakeFirst()

export async function selectRefundsById(db: Db, ids: readonly number[]): Promise<RefundRecord[]> {
  const rows = await db
    .selectFrom('api_refund')
    .select(COLUMNS)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
  return inOrder(ids, rows)
}

/** Bought labels of a user by their tracking numbers. */
export async function selectOrdersByTracking(
  db: Db,
  userId: number,
  codes: readonly string[],
): Promise<{ orderId: number; code: string }[]> {
  const reversed = codes.map(reverseText)
  const { rows } = await sql<{ orderId: number; code: string }>`
    select id as "orderId", tracking_number as code from shipment_order
      where user_id = ${userId} and tracking_number is not null and reverse(tracking_number) = any(${reversed}::text[])
      order by id`.execute(db)
  return rows
}
