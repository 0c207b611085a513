import type { Order } from '#contract/orders.ts'
import { voidOrder, voidOrders } from '#contract/voids.ts'
import { ApiError, send } from '#web/client/send.ts'
import type { VoidResponse } from './void-summary.ts'

/** Of one label: gone, never bought, refused by the carrier. */
const REFUSAL_STATUSES = [404, 409, 422]

/** Asks to void labels. Throws what `send` throws when nothing is known of any. One is answered sooner than several are. */
export async function submitVoids(orders: readonly Order[]): Promise<VoidResponse[]> {
  const [first, ...others] = orders.map(({ _id }) => _id)
  if (first === undefined) return []
  if (others.length > 0)
    return (await send(voidOrders, { body: { orderIds: [first, ...others] } })).results
  try {
    const { order, message } = await send(voidOrder, { params: { orderId: first } })
    return [{ orderId: first, void: order.void ?? 'requested', message }]
  } catch (reason) {
    if (!(reason instanceof ApiError && REFUSAL_STATUSES.includes(reason.status))) throw reason
    return [{ orderId: first, void: 'refused', message: reason.message }]
  }
}
