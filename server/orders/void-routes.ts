import * as calls from '#contract/orders.ts'
import type { Door } from '#server/platform/http.ts'
import type { WithOrders } from './settle.ts'
import { voidMany, voidOne } from './voids.ts'
import { orderWire } from './wire.ts'

export function voidRoutes(door: Door, house: WithOrders): void {
  const sandbox = house.config.mode === 'sandbox'

  door.answer(calls.voidOrder, async ({ params, caller, reply }) => {
    const { order, void: status, message } = await voidOne(house, caller, Number(params.orderId))
    if (status === 'requested') reply.code(202)
    return { ok: true, message, order: orderWire(order, sandbox) }
  })

  door.answer(calls.voidOrders, async ({ body, caller }) => {
    const results = await voidMany(house, caller, body.orderIds.map(Number))
    const count = (status: calls.VoidStatus): number =>
      results.filter(result => result.void === status).length
    return {
      voided: count('voided'),
      requested: count('requested'),
      refused: count('refused'),
      results: results.map(result => ({ ...result, orderId: String(result.orderId) })),
    }
  })
}
