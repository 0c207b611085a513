/** The carrier is called outside any transaction. */
import { callTrack } from '#server/carriers/calls.ts'
import type { Carrier, StoredAddress, TrackingResult } from '#server/carriers/port.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { doMessagesArrive } from './messages-store.ts'
import { countVoidedScans } from './metrics.ts'
import {
  autoVoidAfterMs,
  FIRST_POLL_MS,
  nextPollMs,
  nextVoidedPollMs,
  pollRetryMs,
  VOIDED_POLL_MS,
} from './rules.ts'
import { followVoided, insertTracking, recordTracking, recordVoidedTracking } from './store.ts'
import type { ParcelClaim, TrackingUpdate, VoidedClaim } from './store.ts'

export { claimDueParcels } from './claims.ts'
export { cancelAutoVoids, claimAutoVoids, isUnseenByCarrier, resumePolls } from './store.ts'
export type { AutoVoidClaim } from './store.ts'
export { deletePageSettings } from './parcel-page-store.ts'

/**
 * Call it in the transaction of the purchases. Every label gets a public page. Labels of a carrier
 * without tracking are never voided automatically: they may be used.
 */
export async function startTracking(
  tx: Tx,
  { track, voidWindowMs, firstTrackMs = () => FIRST_POLL_MS }: Carrier,
  labels: readonly { id: number; receiver: StoredAddress }[],
): Promise<void> {
  if (labels.length === 0) return
  await insertTracking(
    tx,
    labels.map(({ id, receiver }) => ({
      id,
      pollAfterMs: track && firstTrackMs(receiver),
      autoVoidAfterMs: track && voidWindowMs !== null ? autoVoidAfterMs(voidWindowMs) : null,
    })),
  )
}

/** Null for a parcel without an answer. */
export async function trackParcels(
  ctx: LabelContext,
  claims: ParcelClaim[],
): Promise<Map<number, TrackingResult | null>> {
  if (claims.length === 0) return new Map()
  const areTold = await doMessagesArrive(ctx.database.db, ctx.carrier.account)
  const updates = await Promise.all(
    claims.map(async (claim): Promise<TrackingUpdate> => {
      const tracked = await trackClaim(ctx, claim)
      const waitMs = tracked
        ? nextPollMs(tracked, claim.sinceBoughtMs, areTold)
        : pollRetryMs(claim.attempt, claim.sinceBoughtMs)
      return { id: claim.id, askedAt: claim.askedAt, tracked, waitMs }
    }),
  )
  await ctx.database.tx(tx => recordTracking(tx, updates))
  return new Map(updates.map(({ id, tracked }) => [id, tracked]))
}

/** Call it in the transaction of the voids. A scan from then on is told to the operator. */
export const followVoidedParcels = (tx: Tx, orderIds: number[]): Promise<void> =>
  followVoided(tx, orderIds, VOIDED_POLL_MS)

/** Polls voided labels: a scan tells that the label was used after its refund. */
export async function trackVoidedParcels(ctx: LabelContext, claims: VoidedClaim[]): Promise<void> {
  if (claims.length === 0) return
  const updates = await Promise.all(
    claims.map(async (claim): Promise<TrackingUpdate> => {
      const tracked = await trackClaim(ctx, claim)
      return {
        id: claim.id,
        askedAt: claim.askedAt,
        tracked,
        waitMs: nextVoidedPollMs(tracked?.status ?? 'unknown', claim.sinceVoidedMs),
      }
    }),
  )
  const scanned = await ctx.database.tx(tx => recordVoidedTracking(tx, updates))
  countVoidedScans(ctx.meter, scanned.length)
  for (const orderId of scanned)
    ctx.log.warn({ orderId }, 'a voided label was scanned: it was used after its refund')
}

const trackClaim = (
  { carrier, config }: LabelContext,
  { id, round, trackingNumber }: { id: number; round: number; trackingNumber: string },
): Promise<TrackingResult | null> =>
  callTrack(
    carrier,
    { attempt: { reference: String(id), round }, trackingNumber },
    config.carrierTimeoutMs,
  )
