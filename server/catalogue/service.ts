/**
 * The postal services and their prices. A user without own services has the current defaults;
 * otherwise their own names, switches and prices apply. Prices are appended, never changed, so that
 * past charges can be traced.
 */
import type { AuditAction } from '#contract/audit.ts'
import { hasSyncChanges, syncChanges } from '#contract/catalogue-changes.ts'
import type { PriceRange, RawService } from '#contract/catalogue.ts'
import type { Cents } from '#contract/money.ts'
import { priceRangesText } from '#contract/price-ranges.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { getUser, lockExistingUser } from '#server/accounts/service.ts'
import type { Config } from '#server/platform/config.ts'
import type { Context } from '#server/platform/context.ts'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { cancelScheduledOf } from './price-changes-store.ts'
import {
  isAvailable,
  parseServiceName,
  serviceFromCarrier,
  indexServicesWithPrices,
  pricesOf,
  hasFirstPrices,
  hasPrices,
  quoteEachParcel,
  quoteParcels,
  rangesFrom,
  wholePounds,
} from './rules.ts'
import type { ParcelInput, ParcelQuote, PriceList, Service } from './rules.ts'
import {
  copyDefaultServices,
  deactivateUserServices,
  insertDefaultServices,
  insertPrices,
  lockCatalogue,
  selectDefaultServices,
  selectEffectiveServices,
  selectServicesOfUsers,
  selectUserServices,
  selectUsersWithOwnServices,
  selectPriceVersions,
  updateOffered,
  updateService,
} from './store.ts'
import type { ServiceTarget, PriceVersionRecord } from './store.ts'
import { readZones } from './zones-store.ts'

export { selectDefaultServices as listDefaultServices } from './store.ts'

/** Also available at the start, before the full context is built. */
type DatabaseContext = Pick<Context, 'database'>

/** All services of a user with their prices, to price rows in memory. */
export async function priceList(db: Db, userId: number): Promise<PriceList> {
  const services = await selectEffectiveServices(db, userId)
  const needsZones = services.some(({ table }) => table !== null)
  return indexServicesWithPrices(services, needsZones ? await readZones(db) : null)
}

/** The price lists of many users, in one statement. */
export async function priceLists(
  db: Db,
  userIds: number[],
): Promise<(userId: number) => PriceList> {
  const servicesOf = await selectServicesOfUsers(db, userIds)
  const needsZones = userIds.some(id => servicesOf(id).some(({ table }) => table !== null))
  const zones = needsZones ? await readZones(db) : null
  const lists = new Map<readonly Service[], PriceList>()
  return userId => {
    const services = servicesOf(userId)
    const known = lists.get(services) ?? indexServicesWithPrices(services, zones)
    lists.set(services, known)
    return known
  }
}

/** A warning about prices that no administrator has set, or null. Shown at start and by npm run doctor. */
export async function firstCatalogueWarning(
  { db }: Pick<Database, 'db'>,
  mode: Config['mode'],
): Promise<string | null> {
  if (mode !== 'live' || !hasFirstPrices(await selectDefaultServices(db))) return null
  return (
    'Every service still has its first price, the same for each weight: a heavy parcel costs your carrier account several times as much. '
    + 'Set your prices in Default Services.'
  )
}

/** Adds to prices what the carrier quotes for parcels of live services. */
export type AskCarrier = (prices: PriceList, parcels: readonly ParcelInput[]) => Promise<PriceList>

const ASK_NOTHING: AskCarrier = async prices => prices

/** The total price of all parcels. Throws Refusal like `quoteParcels`. */
export const quoteShipments = async (
  db: Db,
  userId: number,
  parcels: readonly ParcelInput[],
  ask: AskCarrier = ASK_NOTHING,
): Promise<Cents> => quoteParcels(await ask(await priceList(db, userId), parcels), parcels)

/** The price of each parcel, or why it has none. */
export const quoteEachShipment = async (
  db: Db,
  userId: number,
  parcels: readonly ParcelInput[],
  ask: AskCarrier = ASK_NOTHING,
): Promise<ParcelQuote[]> =>
  quoteEachParcel(await ask(await priceList(db, userId), parcels), parcels)

export async function listAvailableServices(db: Db, userId: number): Promise<Service[]> {
  await getUser(db, userId)
  return (await selectEffectiveServices(db, userId)).filter(isAvailable)
}

export async function listOwnServices(db: Db, userId: number): Promise<Service[]> {
  await getUser(db, userId)
  return selectUserServices(db, userId)
}

/** Newest first. */
export async function listPriceVersions(
  db: Db,
  target: ServiceTarget,
): Promise<PriceVersionRecord[]> {
  if ('userId' in target) await getUser(db, target.userId)
  findService(await selectTargets(db, target), target)
  return selectPriceVersions(db, target)
}

/**
 * Fills an empty catalogue with the carrier's services. Runs at each start; an existing catalogue
 * is not changed.
 */
export const ensureCatalogue = (ctx: DatabaseContext, rawServices: RawService[]): Promise<void> =>
  ctx.database.tx(async tx => {
    await lockCatalogue(tx)
    if ((await selectDefaultServices(tx)).length === 0)
      await insertDefaultServices(tx, rawServices.map(serviceFromCarrier), null)
  })

/**
 * Takes over the carrier's services: new ones are added, also to users' own sets; vanished ones are
 * marked; edited names, switches and prices stay. Returns the new list.
 */
export async function syncCatalogue(
  ctx: DatabaseContext,
  rawServices: RawService[],
  actorId: number,
): Promise<Service[]> {
  // An empty list is an error of the carrier's interface; marking all services as vanished would
  // stop sales.
  if (rawServices.length === 0) {
    throw new Refusal(
      'carrier_unavailable',
      'The carrier returned no services, so nothing was changed. Try again later.',
    )
  }
  return ctx.database.tx(async tx => {
    await lockCatalogue(tx)
    const before = await selectDefaultServices(tx)
    await insertDefaultServices(tx, rawServices.map(serviceFromCarrier), actorId)
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
 * Copies the current defaults to a user's own set. A second call, even at the same time, changes
 * nothing. For callers who are not administrators it only lists the services that apply: a copy
 * would keep today's prices for good (docs/decisions/0016-only-administrators-copy-prices.md).
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
    await lockExistingUser(tx, userId)
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
 * Ends a user's own services, scheduled prices too: the defaults apply again. A second call changes
 * nothing. Prices and names of before stay in the price versions and the audit.
 */
export const returnToDefaults = (
  ctx: DatabaseContext,
  userId: number,
  actorId: number,
): Promise<void> =>
  ctx.database.tx(async tx => {
    await lockCatalogue(tx)
    await lockExistingUser(tx, userId)
    const services = await deactivateUserServices(tx, userId)
    const audit = (action: AuditAction, detail: Record<string, unknown>): Promise<number> =>
      insertAuditEntry(tx, { actorId, subjectId: userId, action, detail })
    for (const canceled of await cancelScheduledOf(tx, userId, actorId))
      await audit('prices-schedule-canceled', canceled)
    if (services.length > 0) await audit('services-reset', { services })
  })

/**
 * Appends new prices, unless they equal the current ones. Throws Refusal 422 for
 * invalid ranges, 409 when the current prices differ from `expected`.
 */
export const setServicePrices = (
  ctx: DatabaseContext,
  target: ServiceTarget,
  prices: PriceRange[],
  actorId: number,
  expected?: readonly PriceRange[],
): Promise<Service> =>
  changeService(ctx, target, actorId, async (tx, service) => {
    const ranges = rangesFrom(prices, service.maxWeight)
    if (service.table === null && service.rule === null && areRangesEqual(ranges, service.ranges))
      return null
    const current = priceRangesText(pricesOf(service.ranges))
    if (expected && priceRangesText(expected) !== current) {
      throw new Refusal(
        'changed_meanwhile',
        `The prices of ${service.name} have changed in the meantime, to ${current}. Nothing was saved.`,
      )
    }
    const version = await insertPrices(tx, target, { ranges, table: null }, actorId)
    return {
      action: 'service-priced',
      detail: { version, from: current, to: priceRangesText(pricesOf(ranges)) },
    }
  })

const areRangesEqual = (a: Service['ranges'], b: Service['ranges']): boolean =>
  a.length === b.length
  && a.every(
    (range, n) => range.from === b[n]!.from && range.to === b[n]!.to && range.cents === b[n]!.cents,
  )

/** Throws Refusal 422 for enabling a service without prices. */
export const setServiceEnabled = (
  ctx: DatabaseContext,
  target: ServiceTarget,
  enabled: boolean,
  actorId: number,
): Promise<Service> =>
  changeService(ctx, target, actorId, async (tx, service) => {
    if (enabled && !hasPrices(service)) {
      throw new Refusal(
        'service_without_price',
        `Set prices for ${service.name} before you enable it`,
      )
    }
    if (enabled === service.enabled) return null
    await updateService(tx, target, { enabled })
    return { action: enabled ? 'service-enabled' : 'service-disabled' }
  })

/** Throws Refusal: empty, too long, or the name of another service. */
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

/** The audit entry's action and detail; null when nothing changed. */
type ServiceChange = { action: AuditAction; detail?: Record<string, unknown> } | null

/**
 * Applies one change under the catalogue's lock, with its audit entry; returns the changed service.
 */
function changeService(
  ctx: DatabaseContext,
  target: ServiceTarget,
  actorId: number,
  work: (tx: Tx, service: Service, others: Service[]) => Promise<ServiceChange>,
): Promise<Service> {
  return ctx.database.tx(async tx => {
    await lockCatalogue(tx)
    if ('userId' in target) await lockExistingUser(tx, target.userId)
    const before = await selectTargets(tx, target)
    const service = findService(before, target)
    const change = await work(
      tx,
      service,
      before.filter(one => one !== service),
    )
    if (change === null) return service
    const subjectId = 'userId' in target ? target.userId : null
    await insertAuditEntry(tx, {
      actorId,
      subjectId,
      action: change.action,
      detail: { service: service.name, ...change.detail },
    })
    return findService(await selectTargets(tx, target), target)
  })
}

const selectTargets = (db: Db, target: ServiceTarget): Promise<Service[]> =>
  'defaultId' in target ? selectDefaultServices(db) : selectUserServices(db, target.userId)

function findService(services: readonly Service[], target: ServiceTarget): Service {
  const id = 'defaultId' in target ? target.defaultId : target.serviceId
  const service = services.find(one => one.id === id)
  if (!service) throw new Refusal('catalogue_service_unknown', 'Service not found')
  return service
}
