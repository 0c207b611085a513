import * as calls from '#contract/orders.ts'
import { orderWire } from '#server/orders/wire.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { LabelContext } from '#server/purchasing/settle.ts'
import { voidMany, voidOne } from './service.ts'

export function labelVoidRoutes(door: Router, ctx: LabelContext): void {
  const sandbox = ctx.config.mode === 'sandbox'

  door.handle(calls.voidOrder, async ({ params, caller, reply }) => {
    const { order, void: status, message } = await voidOne(ctx, caller, Number(params.orderId))
    if (status === 'requested') reply.code(202)
    return { ok: true, message, order: orderWire(order, sandbox) }
  })

  door.handle(calls.voidOrders, async ({ body, caller }) => {
    const results = await voidMany(ctx, caller, body.orderIds.map(Number))
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
