/**
 * Where parcels are, and what is done about labels that nobody uses. Both are watched from the moment of the purchase; the carrier is
 * asked outside any transaction and less urgently than about anything else.
 */
import { isUnderWay } from '#contract/tracking.ts'
import { insertAudits } from '#server/accounts/store.ts'
import { askWhereParcelIs } from '#server/carriers/ask.ts'
import { asking, roomAtCarrier } from '#server/carriers/pace.ts'
import type { Carrier, Tracked } from '#server/carriers/port.ts'
import { accountsOf } from '#server/carriers/service.ts'
import type { Tx } from '#server/platform/database.ts'
import { FIRST_LOOK_MS, lastVoidMs, lookAgainMs, nextLookMs, voidAfterMs } from './parcel-rules.ts'
import {
  claimParcels,
  claimUnused,
  endVoidWatch,
  noteSightings,
  watchParcels,
} from './parcel-store.ts'
import type { ParcelClaim, Sighting, UnusedClaim } from './parcel-store.ts'
import type { WithOrders } from './settle.ts'
import { requestVoids } from './void-store.ts'

const AT_ONCE = 8
/** Longer than any question to a carrier and the writing of its answer. */
const LEASE_MS = 60_000
/** Labels to be given back have two days: there is no hurry to ask again where there was no answer. */
const UNUSED_LEASE_MS = 15 * 60_000

/**
 * Watches labels that were bought, in the transaction that says so. Of a carrier that does not follow parcels nothing is watched: a label
 * that may have been used must not be given back by itself.
 */
export async function watchBought(
  tx: Tx,
  { track, voidWindowMs }: Carrier,
  orderIds: number[],
): Promise<void> {
  if (orderIds.length === 0 || track === null) return
  await watchParcels(tx, orderIds, {
    lookAfterMs: FIRST_LOOK_MS,
    voidAfterMs: voidWindowMs === null ? null : voidAfterMs(voidWindowMs),
  })
}

/** The worker's part: asks where parcels are that are due, as many as the carrier has room for. */
export async function lookAtParcels(house: WithOrders): Promise<void> {
  const { carrier, database } = house
  if (!carrier.track) return
  while (!house.closing.aborted) {
    const claims = await database.tx(async tx => {
      const room = await roomAtCarrier(tx, carrier, 'track', AT_ONCE)
      const taken = room === 0 ? [] : await claimParcels(tx, accountsOf(house), room, LEASE_MS)
      await asking(tx, carrier, 'track', taken.length)
      return taken
    })
    if (claims.length === 0) return
    await look(house, claims)
  }
}

/** Asks about parcels and notes what the carrier says. Returns it. */
async function look(
  house: WithOrders,
  claims: ParcelClaim[],
): Promise<Map<number, Tracked | null>> {
  const seen = await Promise.all(
    claims.map(async (claim): Promise<Sighting> => {
      const bought = {
        attempt: { reference: String(claim.id), round: claim.round },
        trackingNumber: claim.trackingNumber,
      }
      const tracked = await askWhereParcelIs(house.carrier, bought, house.config.carrierTimeoutMs)
      const waitMs = tracked
        ? nextLookMs(tracked.status, claim.sinceBoughtMs)
        : lookAgainMs(claim.attempt)
      return { id: claim.id, tracked, waitMs }
    }),
  )
  await house.database.tx(tx => noteSightings(tx, seen))
  return new Map(seen.map(({ id, tracked }) => [id, tracked]))
}

/**
 * The worker's part: asks for the money of labels that nobody has used, while their carrier still gives it back (VOID_UNUSED). Just
 * before, it is asked once more where the parcel is. A process that dies in between is followed by another.
 */
export async function voidUnused(house: WithOrders): Promise<void> {
  const { carrier, config, database } = house
  if (!config.voidUnused || carrier.voidWindowMs === null || carrier.track === null) return
  while (!house.closing.aborted) {
    const claims = await database.tx(async tx => {
      const room = await roomAtCarrier(tx, carrier, 'track', AT_ONCE)
      const taken =
        room === 0 ? [] : await claimUnused(tx, accountsOf(house), room, UNUSED_LEASE_MS)
      await asking(tx, carrier, 'track', taken.length)
      return taken
    })
    if (claims.length === 0) return
    const { unused, settled } = await sorted(house, claims, carrier.voidWindowMs)
    await database.tx(async tx => {
      const requested = await requestVoids(tx, accountsOf(house), unused, 'house')
      await insertAudits(
        tx,
        requested.map(({ id, userId }) => ({
          actorId: null,
          subjectId: userId,
          action: 'void-requested',
          detail: { orderId: id, automatic: true },
        })),
      )
      await endVoidWatch(tx, settled)
    })
  }
}

/**
 * Which labels are unused, and of which nothing more is to be found out. Where the carrier does not answer, its last word counts when
 * time runs short; a label of which it has never said anything is not given back. The others are taken again when their lease ends.
 */
async function sorted(
  house: WithOrders,
  claims: UnusedClaim[],
  windowMs: number,
): Promise<{ unused: number[]; settled: number[] }> {
  const seen = await look(house, claims)
  const isUnused = ({ id, sinceBoughtMs, wasUnseen }: UnusedClaim): boolean => {
    const tracked = seen.get(id)
    return tracked
      ? !isUnderWay(tracked.status)
      : wasUnseen && sinceBoughtMs >= lastVoidMs(windowMs)
  }
  const unused = claims.filter(isUnused)
  const settled = claims.filter(
    claim => seen.get(claim.id) || isUnused(claim) || claim.sinceBoughtMs >= windowMs,
  )
  return { unused: unused.map(({ id }) => id), settled: settled.map(({ id }) => id) }
}
