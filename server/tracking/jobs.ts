import { claimWithBudget } from '#server/carriers/rate-limit.ts'
import { namesOfOtherCarrierAccounts, namesOfOwnCarrierAccount } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { trackParcels, trackVoidedParcels } from './service.ts'
import { claimParcels, claimVoidedParcels } from './store.ts'

const POLLS_AT_ONCE = 8
const LEASE_MS = 60_000

/** Live labels first: voided ones only get calls that no live label is due for. */
export async function pollParcels(ctx: LabelContext): Promise<void> {
  const { carrier, database } = ctx
  if (!carrier.track) return
  const own = namesOfOwnCarrierAccount(ctx)
  const others = namesOfOtherCarrierAccounts(ctx)
  while (!ctx.closing.aborted) {
    const claims = await database.tx(tx =>
      claimWithBudget(tx, carrier, 'track', POLLS_AT_ONCE, available =>
        claimParcels(tx, own, others, available, LEASE_MS),
      ),
    )
    if (claims.length > 0) {
      await trackParcels(ctx, claims)
      continue
    }
    const voided = await database.tx(tx =>
      claimWithBudget(tx, carrier, 'track', POLLS_AT_ONCE, available =>
        claimVoidedParcels(tx, own, others, available, LEASE_MS),
      ),
    )
    if (voided.length === 0) return
    await trackVoidedParcels(ctx, voided)
  }
}
