import { carrierMessage } from '#contract/carriers.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Router } from '#server/platform/http/router.ts'
import { receiveCarrierMessage } from './messages.ts'

export function registerTrackingRoutes(router: Router, ctx: LabelContext): void {
  router.handle(carrierMessage, async ({ params, request }) => {
    if (params.carrier !== ctx.carrier.name || !ctx.carrier.readMessage)
      throw new Refusal('path_unknown', 'This site takes no messages of this carrier')
    await receiveCarrierMessage(ctx, {
      body: request.body as Buffer,
      headers: request.headers,
    })
    return { ok: true }
  })
}
