import { PRODUCT } from '#contract/product.ts'
import { publicSettings } from '#contract/system.ts'
import type { Context } from './platform/context.ts'
import { healthRoute } from './platform/http/health.ts'
import type { Router } from './platform/http/router.ts'
import type { OperatorPages } from './support/pages-service.ts'

/**
 * `paymentScript`: URL of the payment modal's script. `followsParcels`: whether the carrier reports
 * where parcels are. `voidDecisionDays`: until a carrier decides on a void; 0: usually at once.
 */
type SystemFacts = {
  paymentScript: string
  followsParcels: boolean
  voidDecisionDays: number
  pages: OperatorPages
}

export function registerSystemRoutes(
  router: Router,
  ctx: Context,
  { pages, ...facts }: SystemFacts,
): void {
  const { config } = ctx
  healthRoute(router, ctx)
  router.handle(publicSettings, async () => ({
    name: PRODUCT,
    sandbox: { carrier: config.carrier === 'sandbox', payments: config.payments === 'sandbox' },
    bulkMaxRows: config.bulkMaxRows,
    modalDemo: config.modalDemo,
    refundDelayDays: config.refundDelayDays,
    ...facts,
    support: {
      email: config.supportEmail ?? null,
      replyTime: config.supportReplyTime ?? null,
      pages: await pages.list(),
    },
    communityUrl: config.communityUrl ?? null,
  }))
}
