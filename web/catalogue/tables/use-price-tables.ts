/** The changes of price tables, and the calls that preview and set them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  cancelPriceChange,
  changePrices,
  checkServiceCosts,
  previewPrices,
  priceChanges,
  serviceCosts,
  setZoneMatrix,
  zoneMatrix,
} from '#contract/price-tables.ts'
import type { PriceSource } from '#contract/price-tables.ts'
import type { ZoneRows } from '#contract/zone-matrix.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'

/** `userId`: of the user whose prices they are; undefined for the default services. */
export function usePriceChanges(userId: string | undefined) {
  const { _id: adminId } = useUser()
  return useQuery({
    queryKey: queryKeys.priceChanges(adminId, userId),
    queryFn: () => send(priceChanges, { query: { userId } }),
  })
}

/** Of the services that have any. */
export function useCosts() {
  const { _id: adminId } = useUser()
  return useQuery({
    queryKey: queryKeys.serviceCosts(adminId),
    queryFn: () => send(serviceCosts, {}),
  })
}

/** Asks the carrier; nothing is saved. Throws ApiError. */
export const checkCosts = (uid: string) => send(checkServiceCosts, { body: { uid } })

/** `attempt` identifies the preview: another one compares again. */
export function usePricePreview(userId: string | undefined, source: PriceSource, attempt: string) {
  const { _id: adminId } = useUser()
  return useQuery({
    queryKey: queryKeys.pricePreview(adminId, attempt),
    queryFn: () => send(previewPrices, { body: { userId, source } }),
    gcTime: 0,
    retry: false,
  })
}

export type ConfirmedPrices = {
  source: PriceSource
  seen: string
  requestId: string
  reason: string
  startsAt?: string
}

export function usePriceTableActions(userId: string | undefined) {
  const { _id: adminId } = useUser()
  const queries = useQueryClient()
  const reload = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.priceChanges(adminId, userId) }),
      queries.invalidateQueries({ queryKey: queryKeys.serviceCosts(adminId) }),
      queries.invalidateQueries({ queryKey: queryKeys.defaultServices(adminId) }),
      queries.invalidateQueries({ queryKey: queryKeys.services(adminId) }),
    ])
  }
  return {
    /** Throws ApiError. */
    confirm: async (confirmed: ConfirmedPrices) => {
      await send(changePrices, { body: { userId, ...confirmed } }).finally(reload)
    },
    /** Throws ApiError. */
    cancel: async (id: string) => {
      await send(cancelPriceChange, { params: { id } }).finally(reload)
    },
  }
}

export function useZoneMatrix() {
  const { _id: adminId } = useUser()
  const queries = useQueryClient()
  const queryKey = queryKeys.zoneMatrix(adminId)
  const { data, isError, refetch } = useQuery({ queryKey, queryFn: () => send(zoneMatrix, {}) })
  return {
    matrix: data?.matrix,
    failed: isError && !data,
    retry: () => void refetch(),
    /** Throws ApiError. */
    replace: async (origins: ZoneRows, reason: string, dropsPairs: boolean) => {
      const body = { origins, reason, dropsPairs }
      queries.setQueryData(queryKey, await send(setZoneMatrix, { body }))
    },
  }
}
