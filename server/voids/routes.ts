import { dollars } from '#contract/money.ts'
import type { VoidStatus } from '#contract/orders.ts'
import * as calls from '#contract/voids.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { orderWire } from '#server/orders/wire.ts'
import type { Router } from '#server/platform/http/router.ts'
import { getBatchVoids, voidBatchLabels } from './batch-voids.ts'
import { voidMany, voidOne } from './service.ts'

export function registerVoidRoutes(router: Router, ctx: LabelContext): void {
  const sandbox = ctx.config.mode === 'sandbox'

  router.handle(calls.voidOrder, async ({ params, caller, reply }) => {
    const { order, void: status, message } = await voidOne(ctx, caller, Number(params.orderId))
    if (status === 'requested') reply.code(202)
    return { ok: true, message, order: orderWire(order, sandbox) }
  })

  router.handle(calls.voidOrders, async ({ body, caller }) => {
    const results = await voidMany(ctx, caller, body.orderIds.map(Number))
    const count = (status: VoidStatus): number =>
      results.filter(result => result.void === status).length
    return {
      voided: count('voided'),
      requested: count('requested'),
      refused: count('refused'),
      results: results.map(result => ({ ...result, orderId: String(result.orderId) })),
    }
  })

  router.handle(calls.batchVoidSummary, async ({ params, caller }) => {
    const counted = await getBatchVoids(ctx, caller, Number(params.orderId))
    return { ...counted, amount: dollars(counted.amount) }
  })

  router.handle(calls.voidBatch, ({ params, caller }) =>
    voidBatchLabels(ctx, caller, Number(params.orderId)),
  )
}
