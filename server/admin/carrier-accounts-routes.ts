import * as calls from '#contract/carriers.ts'
import { dollars } from '#contract/money.ts'
import { listSourcedServices, setServiceSources } from '#server/carriers/set-sources.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { Router } from '#server/platform/http/router.ts'
import { listAccounts } from './carrier-accounts.ts'

export function registerCarrierAccountRoutes(router: Router, ctx: LabelContext): void {
  router.handle(calls.listCarrierAccounts, async () => ({
    accounts: (await listAccounts(ctx)).map(one => ({
      ...one,
      since: one.since?.toISOString() ?? null,
      balance: one.balance === null ? null : dollars(one.balance),
    })),
    services: await listSourcedServices(ctx, ctx.database.db),
  }))

  router.handle(calls.setServiceSources, async ({ body: { uid, sources, seen }, caller }) => {
    const service = await setServiceSources(
      ctx,
      caller.impersonatorId ?? caller.userId,
      uid,
      sources,
      seen,
    )
    return { ok: true, message: 'Carrier accounts updated successfully', service }
  })
}
