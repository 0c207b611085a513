/** Queries of several modules. Cached as they are answered: one key, one query. */
import { listAddresses } from '#contract/addresses.ts'
import { availableServices } from '#contract/catalogue.ts'
import { totalOrders } from '#contract/orders.ts'
import { parcelPageSettings } from '#contract/parcel-pages.ts'
import { listSkus } from '#contract/skus.ts'
import { queryKeys } from './query-keys.ts'
import { send } from './send.ts'

export const addressesQuery = (userId: string) => ({
  queryKey: queryKeys.addresses(userId),
  queryFn: () => send(listAddresses, { params: { userId } }),
})

export const skusQuery = (userId: string) => ({
  queryKey: queryKeys.skus(userId),
  queryFn: () => send(listSkus, { params: { userId } }),
})

export const servicesQuery = (userId: string) => ({
  queryKey: queryKeys.services(userId),
  queryFn: () => send(availableServices, { params: { userId } }),
})

export const totalOrdersQuery = (userId: string) => ({
  queryKey: queryKeys.totalOrders(userId),
  queryFn: () => send(totalOrders, { params: { userId } }),
})

export const parcelPageSettingsQuery = (userId: string) => ({
  queryKey: queryKeys.parcelPageSettings(userId),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    send(parcelPageSettings, { params: { userId } }, { signal }),
})
