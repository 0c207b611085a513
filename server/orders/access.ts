import type { Context } from '#server/platform/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { readOrder } from './reads.ts'
import type { OrderRecord } from './rules.ts'

type OrderCaller = Pick<Caller, 'userId' | 'role'>

export const mayAccessOrder = (caller: OrderCaller, order: OrderRecord): boolean =>
  order.userId === caller.userId || caller.role === 'admin'

/** Throws Refusal 404, also for an order that the caller may not access. */
export async function getOrderFor(
  ctx: Context,
  caller: OrderCaller,
  orderId: number,
): Promise<OrderRecord> {
  const order = await readOrder(ctx.database.db, orderId)
  if (!order || !mayAccessOrder(caller, order))
    throw new Refusal('order_unknown', 'There is no such order')
  return order
}
