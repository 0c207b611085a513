/**
 * Where parcels are, and what is done about labels that nobody uses. Both are watched from the moment of the purchase; the carrier is
 * asked outside any transaction and less urgently than about anything else.
 */
import { isUnderWay } from '#contract/tracking.ts'
import { insertAuditEntries } from '#server/accounts/store.ts'
import { callTrack } from '#server/carriers/calls.ts'
import type { Carrier, TrackingResult } from '#server/carriers/port.ts'
import { recordCalls, availableCalls } from '#server/carriers/rate-limit.ts'
import { carrierAccountNames } from '#server/carriers/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { LabelContext } from '#server/purchasing/settle.ts'
import { requestVoids } from '#server/voids/store.ts'
import {
  FIRST_POLL_MS,
  autoVoidDeadlineMs,
  pollRetryMs,
  nextPollMs,
  autoVoidAfterMs,
} from './rules.ts'
import {
  claimParcels,
  claimAutoVoids,
  cancelAutoVoids,
  recordTracking,
  insertTracking,
} from './store.ts'
import type { ParcelClaim, TrackingUpdate, AutoVoidClaim } from './store.ts'

const AT_ONCE = 8
/** Longer than any question to a carrier and the writing of its answer. */
const LEASE_MS = 60_000
/** Labels to be given back have two days: there is no hurry to ask again where there was no answer. */
const AUTO_VOID_LEASE_MS = 15 * 60_000

/**
 * Watches labels that were bought, in the transaction that says so. Of a carrier that does not follow parcels nothing is watched: a label
 * that may have been used must not be given back by itself.
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

/** The worker's part: asks where parcels are that are due, as many as the carrier has room for. */
export async function pollParcels(ctx: LabelContext): Promise<void> {
  const { carrier, database } = ctx
  if (!carrier.track) return
  while (!ctx.closing.aborted) {
    const claims = await database.tx(async tx => {
      const room = await availableCalls(tx, carrier, 'track', AT_ONCE)
      const taken =
        room === 0 ? [] : await claimParcels(tx, carrierAccountNames(ctx), room, LEASE_MS)
      await recordCalls(tx, carrier, 'track', taken.length)
      return taken
    })
    if (claims.length === 0) return
    await askAndRecord(ctx, claims)
  }
}

/** Asks about parcels and notes what the carrier says. Returns it. */
async function askAndRecord(
  ctx: LabelContext,
  claims: ParcelClaim[],
): Promise<Map<number, TrackingResult | null>> {
  const seen = await Promise.all(
    claims.map(async (claim): Promise<TrackingUpdate> => {
      const bought = {
        attempt: { reference: String(claim.id), round: claim.round },
        trackingNumber: claim.trackingNumber,
      }
      const tracked = await callTrack(ctx.carrier, bought, ctx.config.carrierTimeoutMs)
      const waitMs = tracked
        ? nextPollMs(tracked.status, claim.sinceBoughtMs)
        : pollRetryMs(claim.attempt)
      return { id: claim.id, tracked, waitMs }
    }),
  )
  await ctx.database.tx(tx => recordTracking(tx, seen))
  return new Map(seen.map(({ id, tracked }) => [id, tracked]))
}

/**
 * The worker's part: asks for the money of labels that nobody has used, while their carrier still gives it back (VOID_UNUSED). Just
 * before, it is asked once more where the parcel is. A process that dies in between is followed by another.
 */
export async function voidUnusedLabels(ctx: LabelContext): Promise<void> {
  const { carrier, config, database } = ctx
  if (!config.voidUnused || carrier.voidWindowMs === null || carrier.track === null) return
  while (!ctx.closing.aborted) {
    const claims = await database.tx(async tx => {
      const room = await availableCalls(tx, carrier, 'track', AT_ONCE)
      const taken =
        room === 0
          ? []
          : await claimAutoVoids(tx, carrierAccountNames(ctx), room, AUTO_VOID_LEASE_MS)
      await recordCalls(tx, carrier, 'track', taken.length)
      return taken
    })
    if (claims.length === 0) return
    const { unused, settled } = await classifyAutoVoids(ctx, claims, carrier.voidWindowMs)
    await database.tx(async tx => {
      const requested = await requestVoids(tx, carrierAccountNames(ctx), unused, 'house')
      await insertAuditEntries(
        tx,
        requested.map(({ id, userId }) => ({
          actorId: null,
          subjectId: userId,
          action: 'void-requested',
          detail: { orderId: id, automatic: true },
        })),
      )
      await cancelAutoVoids(tx, settled)
    })
  }
}

/**
 * Which labels are unused, and of which nothing more is to be found out. Where the carrier does not answer, its last word counts when
 * time runs short; a label of which it has never said anything is not given back. The others are taken again when their lease ends.
 */
async function classifyAutoVoids(
  ctx: LabelContext,
  claims: AutoVoidClaim[],
  windowMs: number,
): Promise<{ unused: number[]; settled: number[] }> {
  const seen = await askAndRecord(ctx, claims)
  const isUnused = ({ id, sinceBoughtMs, wasUnseen }: AutoVoidClaim): boolean => {
    const tracked = seen.get(id)
    return tracked
      ? !isUnderWay(tracked.status)
      : wasUnseen && sinceBoughtMs >= autoVoidDeadlineMs(windowMs)
  }
  const unused = claims.filter(isUnused)
  const settled = claims.filter(
    claim => seen.get(claim.id) || isUnused(claim) || claim.sinceBoughtMs >= windowMs,
  )
  return { unused: unused.map(({ id }) => id), settled: settled.map(({ id }) => id) }
}
