/**
 * The postal services and their prices. A user without a set of his own has the defaults as they are now; with one, his own
 * names, switches and prices count. Prices are appended, never changed: what was once charged can be looked up.
 */
import type { AuditAction } from '#contract/audit.ts'
import { hasChanged, syncChanges } from '#contract/catalogue-changes.ts'
import type { PriceRange, RawService } from '#contract/catalogue.ts'
import type { Cents } from '#contract/money.ts'
import { rangesText } from '#contract/price-ranges.ts'
import { unknownUser } from '#server/accounts/service.ts'
import { findMember, insertAudit, lockMember } from '#server/accounts/store.ts'
import type { Db, Tx } from '#server/platform/database.ts'
import type { House } from '#server/platform/house.ts'
import type { Caller } from '#server/platform/http.ts'
import { Refusal } from '#server/platform/refusal.ts'
import {
  isAvailable,
  nameFrom,
  newService,
  priceListOf,
  pricesOf,
  quoted,
  rangesFrom,
  wholePounds,
} from './rules.ts'
import type { Parcel, PriceList, Service } from './rules.ts'
import {
  copyDefaults,
  insertDefaults,
  insertPrices,
  lockCatalogue,
  selectDefaults,
  selectEffective,
  selectOwn,
  selectOwners,
  selectVersions,
  updateOffered,
  updateService,
} from './store.ts'
import type { Target, Version } from './store.ts'

/** All that these need of the house; also there at the start, before the rest of it is built. */
type Base = Pick<House, 'database'>

/** Everything a user may buy, in one query; rows are then priced in memory. */
export const priceList = async (db: Db, userId: number): Promise<PriceList> =>
  priceListOf(await selectEffective(db, userId))

/** The price of all parcels together; throws Refusal naming each that cannot be priced (rules.ts, `quoted`). */
export const quoteShipments = async (
  db: Db,
  userId: number,
  parcels: readonly Parcel[],
): Promise<Cents> => quoted(await priceList(db, userId), parcels)

/** Services a user may buy now. */
export async function availableTo(db: Db, userId: number): Promise<Service[]> {
  await refuseStrangers(db, userId)
  return (await selectEffective(db, userId)).filter(isAvailable)
}

/** The default catalogue, vanished and disabled services included. */
export const defaultsOf = (db: Db): Promise<Service[]> => selectDefaults(db)

/** A user's own services; none while he has the defaults. */
export async function ownServices(db: Db, userId: number): Promise<Service[]> {
  await refuseStrangers(db, userId)
  return selectOwn(db, userId)
}

/** All prices a service ever had, newest first. */
export async function versionsOf(db: Db, target: Target): Promise<Version[]> {
  if ('userId' in target) await refuseStrangers(db, target.userId)
  find(await selectTargets(db, target), target)
  return selectVersions(db, target)
}

async function refuseStrangers(db: Db, userId: number): Promise<void> {
  if (!(await findMember(db, userId))) throw unknownUser()
}

/** Fills an empty catalogue from what the carrier offers. Run at each start; a catalogue that is there is left as it is. */
export const ensureCatalogue = (house: Base, rawServices: RawService[]): Promise<void> =>
  house.database.tx(async tx => {
    await lockCatalogue(tx)
    if ((await selectDefaults(tx)).length === 0)
      await insertDefaults(tx, rawServices.map(newService), null)
  })

/**
 * Takes over what the carrier offers now: new services are added, to the users' own sets too; vanished ones are marked; edited
 * names, switches and prices stay. Returns the whole new list.
 */
export async function syncCatalogue(
  house: Base,
  rawServices: RawService[],
  actorId: number,
): Promise<Service[]> {
  // A carrier that suddenly has nothing is a fault of the line, not the end of its business.
  if (rawServices.length === 0) {
    throw new Refusal(
      'unavailable',
      'The carrier named no services; nothing was changed. Please try again later.',
    )
  }
  return house.database.tx(async tx => {
    await lockCatalogue(tx)
    const before = await selectDefaults(tx)
    await insertDefaults(tx, rawServices.map(newService), actorId)
    await updateOffered(
      tx,
      rawServices.map(raw => ({ ...raw, maxWeight: wholePounds(raw.maxWeight) })),
    )
    await copyDefaults(tx, await selectOwners(tx), actorId)
    const after = await selectDefaults(tx)
    const changes = syncChanges(before.map(listed), after.map(listed))
    if (hasChanged(changes)) {
      await insertAudit(tx, {
        actorId,
        subjectId: null,
        action: 'services-synchronized',
        detail: changes,
      })
    }
    return after
  })
}

const listed = (service: Service) => ({ ...service, status: service.offered })

/**
 * An administrator gives a user a set of his own, a copy of the defaults of now. A second call, even at the same time, changes
 * nothing. Asked by the user himself it only answers what counts for him: a copy would keep today's prices for him for good
 * (docs/decisions/0016-only-administrators-copy-prices.md).
 */
export function initialize(house: Base, userId: number, caller: Caller): Promise<Service[]> {
  if (caller.role !== 'admin' || caller.actorId !== null)
    return selectEffective(house.database.db, userId)
  return house.database.tx(async tx => {
    await lockCatalogue(tx)
    if (!(await lockMember(tx, userId))) throw unknownUser()
    const copied = await copyDefaults(tx, [userId], caller.userId)
    const own = await selectOwn(tx, userId)
    if (copied > 0) {
      const detail = { services: own.map(service => service.name) }
      await insertAudit(tx, {
        actorId: caller.userId,
        subjectId: userId,
        action: 'services-initialized',
        detail,
      })
    }
    return own
  })
}

/**
 * Appends new prices, unless they are those of now. Throws Refusal 'unprocessable' where they break the rule for ranges,
 * 'conflict' where the prices of now are not those that the administrator saw (`seen`, when it is given).
 */
export const setPrices = (
  house: Base,
  target: Target,
  prices: PriceRange[],
  actorId: number,
  seen?: readonly PriceRange[],
): Promise<Service> =>
  change(house, target, actorId, async (tx, service) => {
    const ranges = rangesFrom(prices, service.maxWeight)
    if (sameRanges(ranges, service.ranges)) return null
    const now = rangesText(pricesOf(service.ranges))
    if (seen && rangesText(seen) !== now) {
      throw new Refusal(
        'conflict',
        `The prices of ${service.name} have been changed meanwhile, to ${now}. Nothing was saved.`,
      )
    }
    const version = await insertPrices(tx, target, ranges, actorId)
    return {
      action: 'service-priced',
      detail: { version, from: now, to: rangesText(pricesOf(ranges)) },
    }
  })

const sameRanges = (a: Service['ranges'], b: Service['ranges']): boolean =>
  a.length === b.length
  && a.every(
    (range, n) => range.from === b[n]!.from && range.to === b[n]!.to && range.cents === b[n]!.cents,
  )

/** Switches a service on or off. One without prices cannot be switched on: it would look buyable and not be. */
export const setEnabled = (
  house: Base,
  target: Target,
  enabled: boolean,
  actorId: number,
): Promise<Service> =>
  change(house, target, actorId, async (tx, service) => {
    if (enabled && service.ranges.length === 0) {
      throw new Refusal(
        'unprocessable',
        `Please set prices for ${service.name} before you enable it`,
      )
    }
    if (enabled === service.enabled) return null
    await updateService(tx, target, { enabled })
    return { action: enabled ? 'service-enabled' : 'service-disabled' }
  })

/** Renames a service. Throws Refusal: empty, too long, or the name of another one. */
export const setName = (
  house: Base,
  target: Target,
  name: string,
  actorId: number,
): Promise<Service> =>
  change(house, target, actorId, async (tx, service, others) => {
    const to = nameFrom(name, others)
    if (to === service.name) return null
    await updateService(tx, target, { name: to })
    return { action: 'service-renamed', detail: { from: service.name, to } }
  })

/** What was done, for the audit; null where all was so already, as on the second of two clicks. */
type Deed = { action: AuditAction; detail?: Record<string, unknown> } | null

/** One change of one service under the catalogue's lock, with its line in the audit; answers with the service as it is then. */
function change(
  house: Base,
  target: Target,
  actorId: number,
  work: (tx: Tx, service: Service, others: Service[]) => Promise<Deed>,
): Promise<Service> {
  return house.database.tx(async tx => {
    await lockCatalogue(tx)
    if ('userId' in target && !(await lockMember(tx, target.userId))) throw unknownUser()
    const before = await selectTargets(tx, target)
    const service = find(before, target)
    const deed = await work(
      tx,
      service,
      before.filter(one => one !== service),
    )
    if (deed === null) return service
    const subjectId = 'userId' in target ? target.userId : null
    await insertAudit(tx, {
      actorId,
      subjectId,
      action: deed.action,
      detail: { service: service.name, ...deed.detail },
    })
    return find(await selectTargets(tx, target), target)
  })
}

/** The services among which the target is one. */
const selectTargets = (db: Db, target: Target): Promise<Service[]> =>
  'defaultId' in target ? selectDefaults(db) : selectOwn(db, target.userId)

function find(services: readonly Service[], target: Target): Service {
  const id = 'defaultId' in target ? target.defaultId : target.serviceId
  const service = services.find(one => one.id === id)
  if (!service) throw new Refusal('not_found', 'There is no such service')
  return service
}
