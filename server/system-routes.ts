import { PRODUCT } from '#contract/product.ts'
import { publicSettings } from '#contract/system.ts'
import type { Context } from './platform/context.ts'
import { healthRoute } from './platform/http/health.ts'
import type { Router } from './platform/http/router.ts'

/**
 * `paymentScript`: URL of the payment modal's script. `followsParcels`: whether the carrier reports
 * where parcels are. `voidDecisionDays`: until a carrier decides on a void; 0: usually at once.
 */
type SystemFacts = { paymentScript: string; followsParcels: boolean; voidDecisionDays: number }

export function registerSystemRoutes(router: Router, ctx: Context, facts: SystemFacts): void {
  const { config } = ctx
  healthRoute(router, ctx)
  router.handle(publicSettings, async () => ({
    name: PRODUCT,
    sandbox: { carrier: config.carrier === 'sandbox', payments: config.payments === 'sandbox' },
    bulkMaxRows: config.bulkMaxRows,
    ...facts,
  }))
}
