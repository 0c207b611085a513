import { dollars } from '#contract/money.ts'
import { labelDetails } from '#contract/order-details.ts'
import type { LabelStep } from '#contract/order-details.ts'
import type { Router } from '#server/platform/http/router.ts'
import { getOrderFor } from './access.ts'
import type { LabelContext } from './context.ts'
import type { LabelEvent } from './details-rules.ts'
import { detailsOfLabel } from './details.ts'
import { contextOfLabel } from './label-account.ts'
import { orderWire } from './wire.ts'

export function registerLabelDetailsRoutes(router: Router, ctx: LabelContext): void {
  router.handle(labelDetails, async ({ params, caller }) => {
    const order = await getOrderFor(ctx, caller, Number(params.orderId))
    const { serviceUid, apiKey, timeline } = await detailsOfLabel(ctx.database.db, order)
    const { voidWindowMs } = (await contextOfLabel(ctx, order.id)).carrier
    const { purchasedAt } = order
    const isLimited = purchasedAt !== null && voidWindowMs !== null
    return {
      order: orderWire(order, ctx.config.mode === 'sandbox'),
      serviceUid,
      apiKey,
      orderRef: order.orderRef,
      replacedBy: order.replacedBy === null ? null : String(order.replacedBy),
      purchasedAt: purchasedAt?.toISOString() ?? null,
      voidedAt: order.voidedAt?.toISOString() ?? null,
      voidableUntil: isLimited
        ? new Date(purchasedAt.getTime() + voidWindowMs).toISOString()
        : null,
      timeline: timeline.map(stepWire),
    }
  })
}

const stepWire = ({ at, kind, amount, by, tracking, text, place }: LabelEvent): LabelStep => ({
  at: at.toISOString(),
  kind,
  ...(amount !== undefined && { amount: dollars(amount) }),
  ...(by && { by }),
  ...(tracking && { tracking }),
  ...(text && { text }),
  ...(place && { place }),
})
