import { claimWithBudget } from '#server/carriers/rate-limit.ts'
import { namesOfOwnCarrierAccount } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { trackParcels } from './service.ts'
import { claimParcels } from './store.ts'

const POLLS_AT_ONCE = 8
const LEASE_MS = 60_000

export async function pollParcels(ctx: LabelContext): Promise<void> {
  const { carrier, database } = ctx
  if (!carrier.track) return
  while (!ctx.closing.aborted) {
    const claims = await database.tx(tx =>
      claimWithBudget(tx, carrier, 'track', POLLS_AT_ONCE, available =>
        claimParcels(tx, namesOfOwnCarrierAccount(ctx), available, LEASE_MS),
      ),
    )
    if (claims.length === 0) return
    await trackParcels(ctx, claims)
  }
}
