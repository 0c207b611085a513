/**
 * The postal services and their prices. A user without a set of his own has the defaults as they are now; with one, his own
 * names, switches and prices count. Prices are appended, never changed: what was once charged can be looked up.
 */
import type { PriceRange, RawService } from '#contract/catalogue.ts'
import type { Cents } from '#contract/money.ts'
import type { Db, Tx } from '#server/platform/database.ts'
import { databaseCode } from '#server/platform/database.ts'
import type { House } from '#server/platform/house.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { isAvailable, nameFrom, newService, priceListOf, quoted, rangesFrom, wholePounds } from './rules.ts'
import type { Parcel, PriceList, Service } from './rules.ts'
import {
  copyDefaults, insertDefaults, insertPrices, lockCatalogue, selectDefaults, selectEffective, selectOwn, selectOwners, updateOffered,
  updateService,
} from './store.ts'
import type { Target } from './store.ts'

/** All that these need of the house; also there at the start, before the rest of it is built. */
type Base = Pick<House, 'database'>

/** Everything a user may buy, in one query; rows are then priced in memory. */
export const priceList = async (db: Db, userId: number): Promise<PriceList> => priceListOf(await selectEffective(db, userId))

/** The price of all parcels together; throws Refusal naming each that cannot be priced (rules.ts, `quoted`). */
export const quoteShipments = async (db: Db, userId: number, parcels: readonly Parcel[]): Promise<Cents> =>
  quoted(await priceList(db, userId), parcels)

/** Services a user may buy now. */
export const availableTo = async (db: Db, userId: number): Promise<Service[]> => (await selectEffective(db, userId)).filter(isAvailable)

/** The default catalogue, vanished and disabled services included. */
export const defaultsOf = (db: Db): Promise<Service[]> => selectDefaults(db)

/** A user's own services; none while he has the defaults. */
export const ownServices = (db: Db, userId: number): Promise<Service[]> => selectOwn(db, userId)

/** Fills an empty catalogue from what the carrier offers. Run at each start; a catalogue that is there is left as it is. */
export const ensureCatalogue = (house: Base, rawServices: RawService[]): Promise<void> => house.database.tx(async tx => {
  await lockCatalogue(tx)
  if ((await selectDefaults(tx)).length === 0) await insertDefaults(tx, rawServices.map(newService), null)
})

/**
 * Takes over what the carrier offers now: new services are added, to the users' own sets too; vanished ones are marked; edited
 * names, switches and prices stay. Returns the whole new list.
 */
export async function syncCatalogue(house: Base, rawServices: RawService[], actorId: number): Promise<Service[]> {
  // A carrier that suddenly has nothing is a fault of the line, not the end of its business.
  if (rawServices.length === 0) {
    throw new Refusal('unavailable', 'The carrier named no services; nothing was changed. Please try again later.')
  }
  return house.database.tx(async tx => {
    await lockCatalogue(tx)
    await insertDefaults(tx, rawServices.map(newService), actorId)
    await updateOffered(tx, rawServices.map(raw => ({ ...raw, maxWeight: wholePounds(raw.maxWeight) })))
    await copyDefaults(tx, await selectOwners(tx), actorId)
    return selectDefaults(tx)
  })
}

/** Gives a user his own set, a copy of the defaults of now. A second call, even at the same time, changes nothing. */
export async function initialize(house: Base, userId: number, actorId: number): Promise<Service[]> {
  try {
    return await house.database.tx(async tx => {
      await lockCatalogue(tx)
      await copyDefaults(tx, [userId], actorId)
      return selectOwn(tx, userId)
    })
  } catch (error) {
    if (databaseCode(error) === '23503') throw new Refusal('not_found', 'There is no such user')
    throw error
  }
}

/** Appends new prices, unless they are those of now. Throws Refusal 'unprocessable' where they break the rule for ranges. */
export const setPrices = (house: Base, target: Target, prices: PriceRange[], actorId: number): Promise<Service> =>
  change(house, target, async (tx, service) => {
    const ranges = rangesFrom(prices, service.maxWeight)
    if (!sameRanges(ranges, service.ranges)) await insertPrices(tx, target, ranges, actorId)
  })

const sameRanges = (a: Service['ranges'], b: Service['ranges']): boolean =>
  a.length === b.length && a.every((range, n) => range.from === b[n]!.from && range.to === b[n]!.to && range.cents === b[n]!.cents)

/** Switches a service on or off. One without prices cannot be switched on: it would look buyable and not be. */
export const setEnabled = (house: Base, target: Target, enabled: boolean): Promise<Service> =>
  change(house, target, async (tx, service) => {
    if (enabled && service.ranges.length === 0) {
      throw new Refusal('unprocessable', `Please set prices for ${service.name} before you enable it`)
    }
    await updateService(tx, target, { enabled })
  })

/** Renames a service. Throws Refusal: empty, too long, or the name of another one. */
export const setName = (house: Base, target: Target, name: string): Promise<Service> =>
  change(house, target, (tx, _service, others) => updateService(tx, target, { name: nameFrom(name, others) }))

/** One change of one service under the catalogue's lock; answers with the service as it is then. */
function change(house: Base, target: Target, work: (tx: Tx, service: Service, others: Service[]) => Promise<void>): Promise<Service> {
  const id = 'defaultId' in target ? target.defaultId : target.serviceId
  return house.database.tx(async tx => {
    const list = () => 'defaultId' in target ? selectDefaults(tx) : selectOwn(tx, target.userId)
    await lockCatalogue(tx)
    const before = await list()
    const service = before.find(one => one.id === id)
    if (!service) throw new Refusal('not_found', 'There is no such service')
    await work(tx, service, before.filter(one => one !== service))
    return (await list()).find(one => one.id === id)!
  })
}
