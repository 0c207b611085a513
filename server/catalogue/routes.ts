import {
  availableServices,
  defaultServices,
  defaultVersions,
  initializeServices,
  nameDefault,
  nameService,
  priceDefault,
  priceService,
  rawServices,
  serviceVersions,
  syncDefaults,
  toggleDefault,
  toggleService,
  userServices,
} from '#contract/catalogue.ts'
import { refreshRawServices } from '#server/carriers/service.ts'
import type { WithCarrier } from '#server/carriers/service.ts'
import { selectRawServices } from '#server/carriers/store.ts'
import type { Door } from '#server/platform/http.ts'
import { heaviest, pricesOf } from './rules.ts'
import type { Service } from './rules.ts'
import {
  availableTo,
  defaultsOf,
  initialize,
  ownServices,
  setEnabled,
  setName,
  setPrices,
  syncCatalogue,
  versionsOf,
} from './service.ts'
import type { Version } from './store.ts'

export function catalogueRoutes(door: Door, house: WithCarrier): void {
  const { db } = house.database

  door.answer(rawServices, () => selectRawServices(db))
  door.answer(defaultServices, async () => (await defaultsOf(db)).map(serviceWire))
  door.answer(syncDefaults, async ({ caller }) =>
    (await syncCatalogue(house, await refreshRawServices(house), caller.userId)).map(serviceWire),
  )

  door.answer(toggleDefault, async ({ params, body, caller }) =>
    toggled(await setEnabled(house, ofDefault(params), body.enabled, caller.userId)),
  )
  door.answer(priceDefault, async ({ params, body, caller }) =>
    repriced(
      await setPrices(house, ofDefault(params), body.prices, caller.userId, body.seenPrices),
    ),
  )
  door.answer(nameDefault, async ({ params, body, caller }) =>
    renamed(await setName(house, ofDefault(params), body.name, caller.userId)),
  )
  door.answer(defaultVersions, async ({ params }) =>
    (await versionsOf(db, ofDefault(params))).map(versionWire),
  )

  door.answer(availableServices, async ({ params }) =>
    (await availableTo(db, Number(params.userId))).map(service => ({
      uid: service.uid,
      name: service.name,
      category: service.category,
      maxWeight: heaviest(service),
    })),
  )
  door.answer(userServices, async ({ params }) =>
    (await ownServices(db, Number(params.userId))).map(serviceWire),
  )
  door.answer(initializeServices, async ({ params, caller }) =>
    (await initialize(house, Number(params.userId), caller)).map(serviceWire),
  )

  door.answer(toggleService, async ({ params, body, caller }) =>
    toggled(await setEnabled(house, ofUser(params), body.enabled, caller.userId)),
  )
  door.answer(priceService, async ({ params, body, caller }) =>
    repriced(await setPrices(house, ofUser(params), body.prices, caller.userId, body.seenPrices)),
  )
  door.answer(nameService, async ({ params, body, caller }) =>
    renamed(await setName(house, ofUser(params), body.name, caller.userId)),
  )
  door.answer(serviceVersions, async ({ params }) =>
    (await versionsOf(db, ofUser(params))).map(versionWire),
  )
}

const ofDefault = (params: { id: string }) => ({ defaultId: Number(params.id) })
const ofUser = (params: { userId: string; serviceId: string }) => ({
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
}: Service) => ({
  _id: String(id),
  uid,
  name,
  category,
  maxWeight,
  status: offered,
  enabled,
  prices: pricesOf(ranges),
})

const versionWire = ({ version, ranges, setBy, createdAt }: Version) => ({
  version,
  prices: pricesOf(ranges),
  setBy: setBy && { _id: String(setBy.id), name: setBy.name },
  createdAt: createdAt.toISOString(),
})

const changed = (message: string, service: Service) => ({
  ok: true as const,
  message,
  service: serviceWire(service),
  prices: pricesOf(service.ranges),
})
const toggled = (service: Service) =>
  changed(`Service ${service.enabled ? 'enabled' : 'disabled'} successfully`, service)
const repriced = (service: Service) => changed('Service prices updated successfully', service)
const renamed = (service: Service) => changed('Service name updated successfully', service)
