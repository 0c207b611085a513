import type { LabelContext } from '#server/orders/context.ts'
import { claimDueParcels } from './claims.ts'
import { trackParcels, trackVoidedParcels } from './service.ts'
import { claimParcels, claimVoidedParcels } from './store.ts'

const LEASE_MS = 60_000

/** Live labels first: voided ones only get calls that no live label is due for. */
export async function pollParcels(ctx: LabelContext): Promise<void> {
  if (!ctx.carrier.track) return
  while (!ctx.closing.aborted) {
    const live = await claimDueParcels(ctx, claimParcels, LEASE_MS)
    await trackParcels(ctx, live.claims)
    if (!live.isDone) continue
    const voided = await claimDueParcels(ctx, claimVoidedParcels, LEASE_MS)
    if (voided.isDone) return
    await trackVoidedParcels(ctx, voided.claims)
  }
}
