/**
 * The postal services and their prices. A user without a set of his own has the defaults as they are now; with one, his own
 * names, switches and prices count. Prices are appended, never changed: what was once charged can be looked up.
 */
import type { AuditAction } from '#contract/audit.ts'
import { hasSyncChanges, syncChanges } from '#contract/catalogue-changes.ts'
import type { PriceRange, RawService } from '#contract/catalogue.ts'
import type { Cents } from '#contract/money.ts'
import { priceRangesText } from '#contract/price-ranges.ts'
import { unknownUser } from '#server/accounts/service.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { findUser, lockUser } from '#server/accounts/store.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import {
  isAvailable,
  parseServiceName,
  newService,
  buildPriceList,
  pricesOf,
  quoteParcels,
  rangesFrom,
  wholePounds,
} from './rules.ts'
import type { ParcelInput, PriceList, Service } from './rules.ts'
import {
  copyDefaultServices,
  insertDefaultServices,
  insertPrices,
  lockCatalogue,
  selectDefaultServices,
  selectEffectiveServices,
  selectUserServices,
  selectUsersWithOwnServices,
  selectPriceVersions,
  updateOffered,
  updateService,
} from './store.ts'
import type { ServiceTarget, PriceVersionRecord } from './store.ts'

/** All that these need of the house; also there at the start, before the rest of it is built. */
type DatabaseContext = Pick<Context, 'database'>

/** Everything a user may buy, in one query; rows are then priced in memory. */
export const priceList = async (db: Db, userId: number): Promise<PriceList> =>
  buildPriceList(await selectEffectiveServices(db, userId))

/** The price of all parcels together; throws Refusal naming each that cannot be priced (rules.ts, `quoted`). */
export const quoteShipments = async (
  db: Db,
  userId: number,
  parcels: readonly ParcelInput[],
): Promise<Cents> => quoteParcels(await priceList(db, userId), parcels)

/** Services a user may buy now. */
export async function listAvailableServices(db: Db, userId: number): Promise<Service[]> {
  await assertUserExists(db, userId)
  return (await selectEffectiveServices(db, userId)).filter(isAvailable)
}

/** The default catalogue, vanished and disabled services included. */
export const listDefaultServices = (db: Db): Promise<Service[]> => selectDefaultServices(db)

/** A user's own services; none while he has the defaults. */
export async function listOwnServices(db: Db, userId: number): Promise<Service[]> {
  await assertUserExists(db, userId)
  return selectUserServices(db, userId)
}

/** All prices a service ever had, newest first. */
export async function listPriceVersions(
  db: Db,
  target: ServiceTarget,
): Promise<PriceVersionRecord[]> {
  if ('userId' in target) await assertUserExists(db, target.userId)
  findService(await selectTargets(db, target), target)
  return selectPriceVersions(db, target)
}

async function assertUserExists(db: Db, userId: number): Promise<void> {
  if (!(await findUser(db, userId))) throw unknownUser()
}

/** Fills an empty catalogue from what the carrier offers. Run at each start; a catalogue that is there is left as it is. */
export const ensureCatalogue = (ctx: DatabaseContext, rawServices: RawService[]): Promise<void> =>
  ctx.database.tx(async tx => {
    await lockCatalogue(tx)
    if ((await selectDefaultServices(tx)).length === 0)
      await insertDefaultServices(tx, rawServices.map(newService), null)
  })

/**
 * Takes over what the carrier offers now: new services are added, to the users' own sets too; vanished ones are marked; edited
 * names, switches and prices stay. Returns the whole new list.
 */
export async function syncCatalogue(
  ctx: DatabaseContext,
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
  return ctx.database.tx(async tx => {
    await lockCatalogue(tx)
    const before = await selectDefaultServices(tx)
    await insertDefaultServices(tx, rawServices.map(newService), actorId)
    await updateOffered(
      tx,
      rawServices.map(raw => ({ ...raw, maxWeight: wholePounds(raw.maxWeight) })),
    )
    await copyDefaultServices(tx, await selectUsersWithOwnServices(tx), actorId)
    const after = await selectDefaultServices(tx)
    const changes = syncChanges(before.map(toSyncItem), after.map(toSyncItem))
    if (hasSyncChanges(changes)) {
      await insertAuditEntry(tx, {
        actorId,
        subjectId: null,
        action: 'services-synchronized',
        detail: changes,
      })
    }
    return after
  })
}

const toSyncItem = (service: Service) => ({ ...service, status: service.offered })

/**
 * An administrator gives a user a set of his own, a copy of the defaults of now. A second call, even at the same time, changes
 * nothing. Asked by the user himself it only answers what counts for him: a copy would keep today's prices for him for good
 * (docs/decisions/0016-only-administrators-copy-prices.md).
 */
export function copyDefaultsToUser(
  ctx: DatabaseContext,
  userId: number,
  caller: Caller,
): Promise<Service[]> {
  if (caller.role !== 'admin' || caller.impersonatorId !== null)
    return selectEffectiveServices(ctx.database.db, userId)
  return ctx.database.tx(async tx => {
    await lockCatalogue(tx)
    if (!(await lockUser(tx, userId))) throw unknownUser()
    const copied = await copyDefaultServices(tx, [userId], caller.userId)
    const own = await selectUserServices(tx, userId)
    if (copied > 0) {
      const detail = { services: own.map(service => service.name) }
      await insertAuditEntry(tx, {
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
export const setServicePrices = (
  ctx: DatabaseContext,
  target: ServiceTarget,
  prices: PriceRange[],
  actorId: number,
  seen?: readonly PriceRange[],
): Promise<Service> =>
  changeService(ctx, target, actorId, async (tx, service) => {
    const ranges = rangesFrom(prices, service.maxWeight)
    if (areRangesEqual(ranges, service.ranges)) return null
    const now = priceRangesText(pricesOf(service.ranges))
    if (seen && priceRangesText(seen) !== now) {
      throw new Refusal(
        'conflict',
        `The prices of ${service.name} have been changed meanwhile, to ${now}. Nothing was saved.`,
      )
    }
    const version = await insertPrices(tx, target, ranges, actorId)
    return {
      action: 'service-priced',
      detail: { version, from: now, to: priceRangesText(pricesOf(ranges)) },
    }
  })

const areRangesEqual = (a: Service['ranges'], b: Service['ranges']): boolean =>
  a.length === b.length
  && a.every(
    (range, n) => range.from === b[n]!.from && range.to === b[n]!.to && range.cents === b[n]!.cents,
  )

/** Switches a service on or off. One without prices cannot be switched on: it would look buyable and not be. */
export const setServiceEnabled = (
  ctx: DatabaseContext,
  target: ServiceTarget,
  enabled: boolean,
  actorId: number,
): Promise<Service> =>
  changeService(ctx, target, actorId, async (tx, service) => {
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
export const renameService = (
  ctx: DatabaseContext,
  target: ServiceTarget,
  name: string,
  actorId: number,
): Promise<Service> =>
  changeService(ctx, target, actorId, async (tx, service, others) => {
    const to = parseServiceName(name, others)
    if (to === service.name) return null
    await updateService(tx, target, { name: to })
    return { action: 'service-renamed', detail: { from: service.name, to } }
  })

/** What was done, for the audit; null where all was so already, as on the second of two clicks. */
type ServiceChange = { action: AuditAction; detail?: Record<string, unknown> } | null

/** One change of one service under the catalogue's lock, with its line in the audit; answers with the service as it is then. */
function changeService(
  ctx: DatabaseContext,
  target: ServiceTarget,
  actorId: number,
  work: (tx: Tx, service: Service, others: Service[]) => Promise<ServiceChange>,
): Promise<Service> {
  return ctx.database.tx(async tx => {
    await lockCatalogue(tx)
    if ('userId' in target && !(await lockUser(tx, target.userId))) throw unknownUser()
    const before = await selectTargets(tx, target)
    const service = findService(before, target)
    const deed = await work(
      tx,
      service,
      before.filter(one => one !== service),
    )
    if (deed === null) return service
    const subjectId = 'userId' in target ? target.userId : null
    await insertAuditEntry(tx, {
      actorId,
      subjectId,
      action: deed.action,
      detail: { service: service.name, ...deed.detail },
    })
    return findService(await selectTargets(tx, target), target)
  })
}

/** The services among which the target is one. */
const selectTargets = (db: Db, target: ServiceTarget): Promise<Service[]> =>
  'defaultId' in target ? selectDefaultServices(db) : selectUserServices(db, target.userId)

function findService(services: readonly Service[], target: ServiceTarget): Service {
  const id = 'defaultId' in target ? target.defaultId : target.serviceId
  const service = services.find(one => one.id === id)
  if (!service) throw new Refusal('not_found', 'There is no such service')
  return service
}
