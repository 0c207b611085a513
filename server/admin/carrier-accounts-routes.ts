import * as calls from '#contract/carriers.ts'
import { listSourcedServices, setServiceSources } from '#server/carriers/set-sources.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { actorIdOf } from '#server/platform/http/router.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { ReadRunways } from '#server/reports/runway.ts'
import { runwayWire } from '#server/reports/wire.ts'
import { listAccounts } from './carrier-accounts.ts'
import type { CarrierAccountView } from './carrier-accounts.ts'

export function registerCarrierAccountRoutes(
  router: Router,
  ctx: LabelContext,
  readRunways: ReadRunways,
): void {
  router.handle(calls.listCarrierAccounts, async () => ({
    accounts: (await listAccounts(ctx, readRunways)).map(accountWire),
    services: await listSourcedServices(ctx, ctx.database.db),
  }))

  router.handle(calls.setServiceSources, async ({ body: { uid, sources, seen }, caller }) => {
    const service = await setServiceSources(ctx, actorIdOf(caller), uid, sources, seen)
    return { ok: true, message: 'Carrier accounts updated successfully', service }
  })
}

const accountWire = ({ since, nextTry, runway, ...account }: CarrierAccountView) => ({
  ...account,
  since: since?.toISOString() ?? null,
  nextTry: nextTry?.toISOString() ?? null,
  runway: runwayWire(runway),
})
