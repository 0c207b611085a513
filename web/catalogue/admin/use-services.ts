/** The default services and those of one user, and what an administrator can do with them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { syncChanges } from '#contract/catalogue-changes.ts'
import type { SyncChanges } from '#contract/catalogue-changes.ts'
import type { ConfiguredService, PriceRange, PriceVersion } from '#contract/catalogue.ts'
import {
  defaultServices,
  defaultServicePriceVersions,
  initializeUserServices,
  renameDefaultService,
  renameUserService,
  setDefaultServicePrices,
  setUserServicePrices,
  rawServices,
  userServicePriceVersions,
  syncDefaultServices,
  toggleDefaultService,
  toggleUserService,
  userServices,
} from '#contract/catalogue.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'

type ServiceChangeResult = { service: ConfiguredService }

/** The calls that change one service; the default ones and those of a user have their own. */
type ServiceCalls = {
  toggle: (serviceId: string, enabled: boolean) => Promise<ServiceChangeResult>
  price: (
    serviceId: string,
    prices: PriceRange[],
    seenPrices: PriceRange[],
  ) => Promise<ServiceChangeResult>
  rename: (serviceId: string, name: string) => Promise<ServiceChangeResult>
  versions: (serviceId: string) => Promise<PriceVersion[]>
}

/** What can be done with a service of a list. Each says how it went; `price` and `rename` throw on, so that their editors stay open. */
export type ServiceActions = {
  toggle: (service: ConfiguredService, enabled: boolean) => Promise<void>
  /** `service` as the administrator sees it: others' prices set since are not overwritten unseen. */
  price: (service: ConfiguredService, prices: PriceRange[]) => Promise<void>
  rename: (service: ConfiguredService, name: string) => Promise<void>
  versions: (service: ConfiguredService) => {
    queryKey: readonly unknown[]
    queryFn: () => Promise<PriceVersion[]>
  }
}

/** The specified sentence, and the server's after it when there is one. */
function toastFailure(failed: string, reason: unknown): void {
  const sentence = messageOf(reason, '')
  toastError(sentence && sentence !== failed ? texts.failed.because(failed, sentence) : failed)
}

/** Makes the changes and shows them in the list under `queryKey` when they are true. */
function useServiceActions(queryKey: readonly unknown[], calls: ServiceCalls): ServiceActions {
  const queries = useQueryClient()
  const versionsKey = (serviceId: string) => [...queryKey, serviceId, 'versions']
  const perform = async (
    change: Promise<ServiceChangeResult>,
    done: string,
    failed: string,
  ): Promise<void> => {
    try {
      const { service } = await change
      // What is on its way back was asked before the change, and would undo it on the screen.
      await queries.cancelQueries({ queryKey, exact: true })
      queries.setQueryData<ConfiguredService[]>(queryKey, list =>
        list?.map(old => (old._id === service._id ? service : old)),
      )
      toastSuccess(done)
    } catch (reason) {
      toastFailure(failed, reason)
      // Somebody else was faster: what he has set is shown.
      if (reason instanceof ApiError && reason.status === 409)
        await queries.invalidateQueries({ queryKey })
      throw reason
    }
  }
  return {
    toggle: ({ _id }, enabled) =>
      perform(
        calls.toggle(_id, enabled),
        enabled ? texts.done.enabled : texts.done.disabled,
        texts.failed.status,
      ).catch(() => {}),
    price: async ({ _id, prices: seen }, prices) => {
      await perform(calls.price(_id, prices, seen), texts.done.prices, texts.failed.prices)
      void queries.invalidateQueries({ queryKey: versionsKey(_id) })
    },
    rename: ({ _id }, name) => perform(calls.rename(_id, name), texts.done.name, texts.failed.name),
    versions: ({ _id }) => ({ queryKey: versionsKey(_id), queryFn: () => calls.versions(_id) }),
  }
}

const DEFAULT_SERVICE_CALLS: ServiceCalls = {
  toggle: (id, enabled) => send(toggleDefaultService, { params: { id }, body: { enabled } }),
  price: (id, prices, seenPrices) =>
    send(setDefaultServicePrices, { params: { id }, body: { prices, seenPrices } }),
  rename: (id, name) => send(renameDefaultService, { params: { id }, body: { name } }),
  versions: id => send(defaultServicePriceVersions, { params: { id } }),
}

/** The default catalogue beside what the carrier offers. */
export function useDefaultServices() {
  const { _id: adminId } = useUser()
  const queries = useQueryClient()
  const queryKey = queryKeys.defaultServices(adminId)
  const raw = useQuery({
    queryKey: queryKeys.rawServices(adminId),
    queryFn: () => send(rawServices, {}),
  })
  const defaults = useQuery({ queryKey, queryFn: () => send(defaultServices, {}) })
  const actions = useServiceActions(queryKey, DEFAULT_SERVICE_CALLS)
  const [syncing, setSyncing] = useState(false)
  const [changes, setChanges] = useState<SyncChanges | null>(null)

  const sync = async () => {
    setSyncing(true)
    try {
      const before = queries.getQueryData<ConfiguredService[]>(queryKey) ?? []
      const after = await send(syncDefaultServices, {})
      await queries.cancelQueries({ queryKey, exact: true })
      queries.setQueryData(queryKey, after)
      void queries.invalidateQueries({ queryKey: queryKeys.rawServices(adminId) })
      setChanges(syncChanges(before, after))
      toastSuccess(texts.done.sync)
    } catch (reason) {
      toastFailure(texts.failed.sync, reason)
    } finally {
      setSyncing(false)
    }
  }
  return {
    raw: raw.data,
    list: defaults.data,
    failed: (raw.isError && !raw.data) || (defaults.isError && !defaults.data),
    retry: () => {
      void raw.refetch()
      void defaults.refetch()
    },
    actions,
    syncing,
    sync,
    /** What the last sync has changed, until it is dismissed. */
    changes,
    dismiss: () => setChanges(null),
  }
}

const userServiceCalls = (userId: string): ServiceCalls => ({
  toggle: (serviceId, enabled) =>
    send(toggleUserService, { params: { userId, serviceId }, body: { enabled } }),
  price: (serviceId, prices, seenPrices) =>
    send(setUserServicePrices, { params: { userId, serviceId }, body: { prices, seenPrices } }),
  rename: (serviceId, name) =>
    send(renameUserService, { params: { userId, serviceId }, body: { name } }),
  versions: serviceId => send(userServicePriceVersions, { params: { userId, serviceId } }),
})

/** A user's own services; he is given them when he has none (specification, 7). */
export function useUserServices(userId: string) {
  const { _id: adminId } = useUser()
  const queryKey = queryKeys.userServices(adminId, userId)
  const load = async () => {
    const own = await send(userServices, { params: { userId } })
    return own.length > 0 ? own : send(initializeUserServices, { params: { userId } })
  }
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: load,
    meta: { errorToast: texts.failed.loadUser },
  })
  return {
    list: data,
    failed: isError && !data,
    retrying: isError && isFetching,
    retry: () => void refetch(),
    actions: useServiceActions(queryKey, userServiceCalls(userId)),
  }
}
