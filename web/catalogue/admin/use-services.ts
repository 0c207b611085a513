/** The default services and those of one user, and the changes to them. */
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
import type { ResponseData } from '#contract/endpoint.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'

type ServiceChangeResult = ResponseData<typeof toggleDefaultService>

/** The calls that change a service: one set for the defaults, one for a user's services. */
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

/** Each action shows its result. `price` and `rename` also throw, so their editors stay open. */
export type ServiceActions = {
  toggle: (service: ConfiguredService, enabled: boolean) => Promise<void>
  /**
   * `service` as the administrator sees it: a newer price of another administrator is not
   * overwritten.
   */
  price: (service: ConfiguredService, prices: PriceRange[]) => Promise<void>
  rename: (service: ConfiguredService, name: string) => Promise<void>
  versions: (service: ConfiguredService) => {
    queryKey: readonly unknown[]
    queryFn: () => Promise<PriceVersion[]>
  }
  /** Whose price tables they are; null while a user has those of the defaults. */
  owner: { userId: string | undefined } | null
}

/** The general failure, and the server's reason if there is one. */
function toastFailure(failed: string, reason: unknown): void {
  const sentence = messageOf(reason, '')
  toastError(sentence && sentence !== failed ? texts.failed.because(failed, sentence) : failed)
}

/** Makes a change, and shows it in the list under `queryKey` after it succeeded. */
function useServiceActions(
  queryKey: readonly unknown[],
  calls: ServiceCalls,
  owner: ServiceActions['owner'],
): ServiceActions {
  const queries = useQueryClient()
  const versionsKey = (serviceId: string) => [...queryKey, serviceId, 'versions']
  const perform = async (
    change: Promise<ServiceChangeResult>,
    done: string,
    failed: string,
  ): Promise<void> => {
    try {
      const { service } = await change
      // A list request that is still running started before the change, and would overwrite it.
      await queries.cancelQueries({ queryKey, exact: true })
      queries.setQueryData<ConfiguredService[]>(queryKey, list =>
        list?.map(old => (old._id === service._id ? service : old)),
      )
      toastSuccess(done)
    } catch (reason) {
      toastFailure(failed, reason)
      // Another administrator was first; the list shows their change.
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
    owner,
  }
}

const DEFAULT_SERVICE_CALLS: ServiceCalls = {
  toggle: (id, enabled) => send(toggleDefaultService, { params: { id }, body: { enabled } }),
  price: (id, prices, seenPrices) =>
    send(setDefaultServicePrices, { params: { id }, body: { prices, seenPrices } }),
  rename: (id, name) => send(renameDefaultService, { params: { id }, body: { name } }),
  versions: id => send(defaultServicePriceVersions, { params: { id } }),
}

export function useDefaultServicesPage() {
  const { _id: adminId } = useUser()
  const queries = useQueryClient()
  const queryKey = queryKeys.defaultServices(adminId)
  const raw = useQuery({
    queryKey: queryKeys.rawServices(adminId),
    queryFn: () => send(rawServices, {}),
  })
  const defaults = useQuery({ queryKey, queryFn: () => send(defaultServices, {}) })
  const actions = useServiceActions(queryKey, DEFAULT_SERVICE_CALLS, { userId: undefined })
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
    /** What the last sync changed, until dismissed. */
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

/** The calls while the defaults apply: the first change copies them, then changes the copy. */
function firstChangeCalls(userId: string, defaults: readonly ConfiguredService[]): ServiceCalls {
  const own = userServiceCalls(userId)
  const idOfCopy = async (defaultId: string): Promise<string> => {
    const uid = defaults.find(({ _id }) => _id === defaultId)?.uid
    const copies = await send(initializeUserServices, { params: { userId } })
    const copy = copies.find(service => service.uid === uid)
    if (!copy) throw new Error(texts.failed.loadUser)
    return copy._id
  }
  return {
    toggle: async (id, enabled) => own.toggle(await idOfCopy(id), enabled),
    price: async (id, prices, seenPrices) => own.price(await idOfCopy(id), prices, seenPrices),
    rename: async (id, name) => own.rename(await idOfCopy(id), name),
    versions: serviceId => send(defaultServicePriceVersions, { params: { id: serviceId } }),
  }
}

/**
 * The services that apply to a user: their own, or the defaults until the first change. Looking at
 * them changes nothing.
 */
export function useUserServices(userId: string) {
  const { _id: adminId } = useUser()
  const queries = useQueryClient()
  const ownKey = queryKeys.userServices(adminId, userId)
  const defaultsKey = [...ownKey, 'defaults']
  const own = useQuery({
    queryKey: ownKey,
    queryFn: () => send(userServices, { params: { userId } }),
    meta: { errorToast: texts.failed.loadUser },
  })
  const isDefault = own.data?.length === 0
  const defaults = useQuery({
    queryKey: defaultsKey,
    queryFn: () => send(defaultServices, {}),
    enabled: isDefault,
    meta: { errorToast: texts.failed.loadUser },
  })
  const shown = isDefault ? defaults : own
  const reload = () => queries.invalidateQueries({ queryKey: ownKey })
  const ownActions = useServiceActions(ownKey, userServiceCalls(userId), { userId })
  const firstCalls = firstChangeCalls(userId, defaults.data ?? [])
  const firstActions = useServiceActions(defaultsKey, firstCalls, null)
  return {
    list: shown.data,
    isDefault,
    failed: shown.isError && !shown.data,
    retrying: shown.isError && shown.isFetching,
    retry: () => void shown.refetch(),
    actions: isDefault ? reloadingActions(firstActions, reload) : ownActions,
    /** Throws the server's reason. */
    reset: async () => {
      await send(resetUserServices, { params: { userId } })
      toastSuccess(texts.done.reset)
      await reload()
    },
  }
}

/** Reloads after each change, failed ones too: the copy may have been made. */
function reloadingActions(actions: ServiceActions, reload: () => Promise<void>): ServiceActions {
  const { toggle, price, rename, versions, owner } = actions
  return {
    toggle: (service, enabled) => toggle(service, enabled).finally(reload),
    price: (service, prices) => price(service, prices).finally(reload),
    rename: (service, name) => rename(service, name).finally(reload),
    versions,
    owner,
  }
}
