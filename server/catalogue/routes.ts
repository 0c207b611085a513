import {
  availableServices,
  defaultServices,
  defaultServicePriceVersions,
  initializeUserServices,
  renameDefaultService,
  renameUserService,
  resetUserServices,
  setDefaultServicePrices,
  setUserServicePrices,
  rawServices,
  userServicePriceVersions,
  syncDefaultServices,
  toggleDefaultService,
  toggleUserService,
  userServices,
} from '#contract/catalogue.ts'
import type { AvailableService } from '#contract/catalogue.ts'
import { isLive, ruleWire } from '#contract/price-rules.ts'
import { isPricedByParcel, maxPricedWeight } from '#contract/pricing.ts'
import { optionsOfAccounts, refreshRawServices } from '#server/carriers/service.ts'
import type { CarrierContext } from '#server/carriers/service.ts'
import { selectRawServices } from '#server/carriers/service.ts'
import { deliveryDaysOf } from '#server/carriers/services.ts'
import type { Router } from '#server/platform/http/router.ts'
import { readOptions } from './option-prices.ts'
import { offersWire } from './option-rules.ts'
import type { OptionsOf } from './option-rules.ts'
import { registerPriceTableRoutes } from './price-table-routes.ts'
import { pricesOf, tableWire } from './rules.ts'
import type { Service } from './rules.ts'
import {
  listAvailableServices,
  listDefaultServices,
  copyDefaultsToUser,
  listOwnServices,
  setServiceEnabled,
  renameService,
  returnToDefaults,
  setServicePrices,
  syncCatalogue,
  listPriceVersions,
} from './service.ts'
import type { PriceVersionRecord } from './store.ts'

export function registerCatalogueRoutes(router: Router, ctx: CarrierContext): void {
  const { db } = ctx.database
  registerPriceTableRoutes(router, ctx)

  router.handle(rawServices, () => selectRawServices(db))
  router.handle(defaultServices, async () => (await listDefaultServices(db)).map(serviceWire))
  router.handle(syncDefaultServices, async ({ caller }) =>
    (await syncCatalogue(ctx, await refreshRawServices(ctx), caller.userId)).map(serviceWire),
  )

  router.handle(toggleDefaultService, async ({ params, body, caller }) =>
    toggleAnswer(await setServiceEnabled(ctx, defaultTarget(params), body.enabled, caller.userId)),
  )
  router.handle(setDefaultServicePrices, async ({ params, body, caller }) =>
    priceAnswer(
      await setServicePrices(
        ctx,
        defaultTarget(params),
        body.prices,
        caller.userId,
        body.seenPrices,
      ),
    ),
  )
  router.handle(renameDefaultService, async ({ params, body, caller }) =>
    renameAnswer(await renameService(ctx, defaultTarget(params), body.name, caller.userId)),
  )
  router.handle(defaultServicePriceVersions, async ({ params }) =>
    (await listPriceVersions(db, defaultTarget(params))).map(versionWire),
  )

  router.handle(availableServices, async ({ params }) => {
    const [services, optionsOf] = await Promise.all([
      listAvailableServices(db, Number(params.userId)),
      readOptions(db, optionsOfAccounts(ctx)),
    ])
    return services.map(service => availableWire(service, optionsOf))
  })
  router.handle(userServices, async ({ params }) =>
    (await listOwnServices(db, Number(params.userId))).map(serviceWire),
  )
  router.handle(initializeUserServices, async ({ params, caller }) =>
    (await copyDefaultsToUser(ctx, Number(params.userId), caller)).map(serviceWire),
  )

  router.handle(resetUserServices, async ({ params, caller }) => {
    await returnToDefaults(ctx, Number(params.userId), caller.userId)
    return { ok: true as const, message: 'The default services apply to this user again' }
  })
  router.handle(toggleUserService, async ({ params, body, caller }) =>
    toggleAnswer(await setServiceEnabled(ctx, userTarget(params), body.enabled, caller.userId)),
  )
  router.handle(setUserServicePrices, async ({ params, body, caller }) =>
    priceAnswer(
      await setServicePrices(ctx, userTarget(params), body.prices, caller.userId, body.seenPrices),
    ),
  )
  router.handle(renameUserService, async ({ params, body, caller }) =>
    renameAnswer(await renameService(ctx, userTarget(params), body.name, caller.userId)),
  )
  router.handle(userServicePriceVersions, async ({ params }) =>
    (await listPriceVersions(db, userTarget(params))).map(versionWire),
  )
}

const defaultTarget = (params: { id: string }) => ({ defaultId: Number(params.id) })
const userTarget = (params: { userId: string; serviceId: string }) => ({
  userId: Number(params.userId),
  serviceId: Number(params.serviceId),
})

const serviceWire = ({
  id,
  uid,
  name,
  category,
  maxWeight,
  offered,
  enabled,
  ranges,
  table,
  rule,
}: Service) => ({
  _id: String(id),
  uid,
  name,
  category,
  maxWeight,
  status: offered,
  enabled,
  prices: pricesOf(ranges),
  table: tableWire(table),
  rule: rule && ruleWire(rule),
})

const versionWire = ({
  version,
  ranges,
  table,
  rule,
  reason,
  setBy,
  createdAt,
}: PriceVersionRecord) => ({
  version,
  prices: pricesOf(ranges),
  table: tableWire(table),
  rule: rule && ruleWire(rule),
  reason,
  setBy: setBy && { _id: String(setBy.id), name: setBy.name },
  createdAt: createdAt.toISOString(),
})

const changeAnswer = (message: string, service: Service) => ({
  ok: true as const,
  message,
  service: serviceWire(service),
  prices: pricesOf(service.ranges),
})
const toggleAnswer = (service: Service) =>
  changeAnswer(`Service ${service.enabled ? 'enabled' : 'disabled'} successfully`, service)
const priceAnswer = (service: Service) =>
  changeAnswer('Service prices updated successfully', service)
const renameAnswer = (service: Service) =>
  changeAnswer('Service name updated successfully', service)

const availableWire = (service: Service, optionsOf: OptionsOf): AvailableService => ({
  uid: service.uid,
  name: service.name,
  category: service.category,
  maxWeight: maxPricedWeight(service),
  deliveryDays: deliveryDaysOf(service.uid),
  ...(((service.table && isPricedByParcel(service.table)) || isLive(service)) && {
    pricedByParcel: true,
  }),
  ...(isLive(service) && { pricedByCarrier: true }),
  options: offersWire(optionsOf(service)),
})
