import type { Context } from '#server/platform/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { findOrdersInOrder } from './lists.ts'
import { readOrder } from './reads.ts'
import type { OrderRecord } from './rules.ts'

type OrderCaller = Pick<Caller, 'userId' | 'role'>

export const mayAccessOrder = (caller: OrderCaller, order: OrderRecord): boolean =>
  order.userId === caller.userId || caller.role === 'admin'

export const orderNotFound = (): Refusal => new Refusal('order_unknown', 'There is no such order')

/** Throws Refusal 404, also for an order that the caller may not access. */
export async function getOrderFor(
  ctx: Context,
  caller: OrderCaller,
  orderId: number,
): Promise<OrderRecord> {
  const order = await readOrder(ctx.database.db, orderId)
  if (!order || !mayAccessOrder(caller, order)) throw orderNotFound()
  return order
}

/**
 * The caller's own orders with these ids, each once and in the given order. Throws Refusal 404 if one
 * is unknown or another user's.
 */
export async function getOwnOrders(
  ctx: Context,
  caller: Pick<Caller, 'userId'>,
  ids: readonly number[],
): Promise<OrderRecord[]> {
  const wanted = [...new Set(ids)]
  const orders = await findOrdersInOrder(ctx.database.db, wanted)
  if (orders.length < wanted.length || orders.some(({ userId }) => userId !== caller.userId))
    throw orderNotFound()
  return orders
}
