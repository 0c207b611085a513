import * as calls from '#contract/loss-limits.ts'
import type { ServiceLossLimit } from '#contract/loss-limits.ts'
import { dollars, fromDollars } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Context } from '#server/platform/context.ts'
import type { Router } from '#server/platform/http/router.ts'
import { selectLossLimits } from './loss-limits-store.ts'
import type { LossLimitRecord } from './loss-limits-store.ts'
import { setLossLimit } from './loss-limits.ts'

export function registerLossLimitRoutes(router: Router, ctx: Context): void {
  router.handle(calls.lossLimits, async () => ({
    installation: orNull(ctx.config.maxLossPerLabel, dollars),
    services: (await selectLossLimits(ctx.database.db)).map(wire),
  }))

  router.handle(calls.setLossLimit, async ({ params, body: { maxLoss, seenMaxLoss }, caller }) => {
    const saved = await setLossLimit(
      ctx,
      Number(params.id),
      orNull(maxLoss, fromDollars),
      caller.userId,
      seenMaxLoss === undefined ? undefined : orNull(seenMaxLoss, fromDollars),
    )
    return { ok: true, message: 'Limit of loss updated successfully', service: wire(saved) }
  })
}

const orNull = <From extends number, To>(value: From | null, map: (value: From) => To): To | null =>
  value === null ? null : map(value)

const wire = ({ id, uid, maxLoss }: LossLimitRecord): ServiceLossLimit => ({
  _id: String(id),
  uid,
  maxLoss: orNull<Cents, number>(maxLoss, dollars),
})
