import { carrierBalance, sandboxPurchases } from '#contract/carriers.ts'
import { dollars } from '#contract/money.ts'
import type { Router } from '#server/platform/http/router.ts'
import { selectSandboxPurchases } from './sandbox/store.ts'
import { fetchCarrierBalance } from './service.ts'
import type { CarrierContext } from './service.ts'

export function registerCarrierRoutes(router: Router, ctx: CarrierContext): void {
  router.handle(carrierBalance, async () => {
    const left = await fetchCarrierBalance(ctx)
    return { balance: left === null ? null : dollars(left) }
  })

  // Only the sandbox has purchases to list.
  if (ctx.carrier.name !== 'sandbox') return
  router.handle(sandboxPurchases, async ({ query }) => {
    const sold = await selectSandboxPurchases(ctx.database.db, query.reference)
    return {
      purchases: sold.map(({ reference, round, trackingNumber, boughtAt, voidedAt }) => ({
        reference,
        round,
        trackingNumber,
        boughtAt: boughtAt.toISOString(),
        voidedAt: voidedAt?.toISOString() ?? null,
      })),
    }
  })
}
