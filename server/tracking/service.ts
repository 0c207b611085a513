/** The carrier is called outside any transaction. */
import { callTrack } from '#server/carriers/calls.ts'
import type { Carrier, TrackingResult } from '#server/carriers/port.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { FIRST_POLL_MS, autoVoidAfterMs, nextPollMs, pollRetryMs } from './rules.ts'
import { insertTracking, recordTracking } from './store.ts'
import type { ParcelClaim, TrackingUpdate } from './store.ts'

export { cancelAutoVoids, claimAutoVoids, isUnseenByCarrier } from './store.ts'
export type { AutoVoidClaim } from './store.ts'

/**
 * Call it in the transaction of the purchases. Labels of a carrier without tracking are never
 * voided automatically: they may be used.
 */
export async function startTracking(
  tx: Tx,
  { track, voidWindowMs }: Carrier,
  orderIds: number[],
): Promise<void> {
  if (orderIds.length === 0 || track === null) return
  await insertTracking(tx, orderIds, {
    pollAfterMs: FIRST_POLL_MS,
    autoVoidAfterMs: voidWindowMs === null ? null : autoVoidAfterMs(voidWindowMs),
  })
}

/** Null for a parcel without an answer. */
export async function trackParcels(
  ctx: LabelContext,
  claims: ParcelClaim[],
): Promise<Map<number, TrackingResult | null>> {
  const updates = await Promise.all(
    claims.map(async (claim): Promise<TrackingUpdate> => {
      const purchase = {
        attempt: { reference: String(claim.id), round: claim.round },
        trackingNumber: claim.trackingNumber,
      }
      const tracked = await callTrack(ctx.carrier, purchase, ctx.config.carrierTimeoutMs)
      const waitMs = tracked
        ? nextPollMs(tracked.status, claim.sinceBoughtMs)
        : pollRetryMs(claim.attempt)
      return { id: claim.id, tracked, waitMs }
    }),
  )
  await ctx.database.tx(tx => recordTracking(tx, updates))
  return new Map(updates.map(({ id, tracked }) => [id, tracked]))
}
