/**
 * Where parcels are, and what is done about labels that nobody uses. Both are watched from the moment of the purchase; the carrier is
 * asked outside any transaction and less urgently than about anything else.
 */
import { isUnderWay } from '#contract/tracking.ts'
import { insertAudits } from '#server/accounts/store.ts'
import { askWhereParcelIs } from '#server/carriers/ask.ts'
import { asking, roomAtCarrier } from '#server/carriers/pace.ts'
import type { Carrier, Tracked } from '#server/carriers/port.ts'
import type { Tx } from '#server/platform/database.ts'
import { FIRST_LOOK_MS, lastVoidMs, lookAgainMs, nextLookMs, voidAfterMs } from './parcel-rules.ts'
import { claimParcels, claimUnused, endVoidWatch, noteSightings, watchParcels } from './parcel-store.ts'
import type { ParcelClaim, Sighting } from './parcel-store.ts'
import type { WithOrders } from './settle.ts'
import { requestVoids } from './void-store.ts'

const AT_ONCE = 8
/** Longer than any question to a carrier and the writing of its answer. */
const LEASE_MS = 60_000
/** Voids need no carrier here, only their wishes are written. */
const UNUSED_AT_ONCE = 100

/** Watches labels that were bought, in the transaction that says so. A carrier that says and promises nothing is not watched. */
export async function watchBought(tx: Tx, { track, voidWindowMs }: Carrier, orderIds: number[]): Promise<void> {
  if (orderIds.length === 0 || (track === null && voidWindowMs === null)) return
  await watchParcels(tx, orderIds, {
    lookAfterMs: track && FIRST_LOOK_MS, voidAfterMs: voidWindowMs === null ? null : voidAfterMs(voidWindowMs),
  })
}

/** The worker's part: asks where parcels are that are due, as many as the carrier has room for. */
export async function lookAtParcels(house: WithOrders): Promise<void> {
  const { carrier, database } = house
  if (!carrier.track) return
  while (!house.closing.aborted) {
    const claims = await database.tx(async tx => {
      const room = await roomAtCarrier(tx, carrier, 'track', AT_ONCE)
      const taken = room === 0 ? [] : await claimParcels(tx, room, LEASE_MS)
      await asking(tx, carrier, 'track', taken.length)
      return taken
    })
    if (claims.length === 0) return
    await look(house, claims)
  }
}

/** Asks about parcels and notes what the carrier says. Returns it. */
async function look(house: WithOrders, claims: ParcelClaim[]): Promise<Map<number, Tracked | null>> {
  const seen = await Promise.all(claims.map(async (claim): Promise<Sighting> => {
    const bought = { attempt: { reference: String(claim.id), round: claim.round }, trackingNumber: claim.trackingNumber }
    const tracked = await askWhereParcelIs(house.carrier, bought, house.config.carrierTimeoutMs)
    const waitMs = tracked ? nextLookMs(tracked.status, claim.sinceBoughtMs) : lookAgainMs(claim.attempt)
    return { id: claim.id, tracked, waitMs }
  }))
  await house.database.tx(tx => noteSightings(tx, seen))
  return new Map(seen.map(({ id, tracked }) => [id, tracked]))
}

/**
 * The worker's part: asks for the money of labels that nobody has used, while their carrier still gives it back (VOID_UNUSED). Just
 * before, it is asked once more where the parcel is. A process that dies in between is followed by another.
 */
export async function voidUnused(house: WithOrders): Promise<void> {
  const { carrier, config, database } = house
  if (!config.voidUnused || carrier.voidWindowMs === null) return
  while (!house.closing.aborted) {
    const claims = await database.tx(async tx => {
      if (!carrier.track) return claimUnused(tx, UNUSED_AT_ONCE, LEASE_MS)
      const room = await roomAtCarrier(tx, carrier, 'track', AT_ONCE)
      const taken = room === 0 ? [] : await claimUnused(tx, room, LEASE_MS)
      await asking(tx, carrier, 'track', taken.length)
      return taken
    })
    if (claims.length === 0) return
    const { used, unused } = await sorted(house, claims)
    await database.tx(async tx => {
      const requested = await requestVoids(tx, unused, 'house')
      await insertAudits(tx, requested.map(({ id, userId }) =>
        ({ actorId: null, subjectId: userId, action: 'void-requested', detail: { orderId: id, automatic: true } })))
      await endVoidWatch(tx, [...used, ...unused])
    })
  }
}

/** Which labels are used and which are not. Of those in neither nothing is known yet; they are taken again when their lease ends. */
async function sorted(house: WithOrders, claims: ParcelClaim[]): Promise<{ used: number[], unused: number[] }> {
  const ids = claims.map(({ id }) => id)
  if (!house.carrier.track) return { used: [], unused: ids }
  const seen = await look(house, claims)
  const last = lastVoidMs(house.carrier.voidWindowMs!)
  const used = ids.filter(id => isUnderWay(seen.get(id)?.status ?? 'unknown'))
  const unused = claims.filter(({ id, sinceBoughtMs }) => !used.includes(id) && (seen.get(id) || sinceBoughtMs >= last))
  return { used, unused: unused.map(({ id }) => id) }
}
