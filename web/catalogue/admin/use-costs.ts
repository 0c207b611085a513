import { useQuery } from '@tanstack/react-query'
import { serviceCosts } from '#contract/price-tables.ts'
import { costReport, tradeReport } from '#contract/reports.ts'
import type { TradeReport } from '#contract/reports.ts'
import type { PoundCost } from '#web/charts/steps.ts'
import { readerClock } from '#web/charts/time-zone.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { costsByPound } from './price-margin.ts'

const STALE_MS = 60_000

export type ServiceCosts = {
  /** Lightest first; empty while loading and where nothing is known. */
  costs: readonly PoundCost[]
  /** Labels that costs are averages of. */
  labels: number
  /** Whether some of them are uploaded. */
  areUploaded: boolean
  state: 'loading' | 'failed' | 'ready'
  retry: () => void
}

/**
 * What the carrier charges for a service by weight: on average of the labels, and as uploaded where none was bought. All
 * services share the calls.
 */
export function useServiceCosts(uid: string): ServiceCosts {
  const { _id } = useUser()
  const { data, isError, refetch } = useQuery({
    queryKey: queryKeys.carrierCosts(_id),
    queryFn: ({ signal }) => send(costReport, {}, { signal }),
    staleTime: STALE_MS,
  })
  const { data: uploads } = useQuery({
    queryKey: queryKeys.serviceCosts(_id),
    queryFn: () => send(serviceCosts, {}),
    staleTime: STALE_MS,
  })
  const found = data?.services.find(({ service }) => service === uid)
  const uploaded = uploads?.find(one => one.uid === uid)?.prices ?? []
  const costs = costsByPound(found?.costs ?? [], uploaded)
  return {
    costs: data ? costs : [],
    labels: found?.labels ?? 0,
    areUploaded: costs.length > (found?.costs.length ?? 0),
    state: data ? 'ready' : isError ? 'failed' : 'loading',
    retry: () => void refetch(),
  }
}

/** Days that the figures of a service are of. */
export const SALES_DAYS = 30

/** Labels, revenue and margin of a service; undefined while loading and without labels. All services share one call. */
export function useServiceSales(uid: string): TradeReport['services'][number] | undefined {
  const { _id } = useUser()
  const { data } = useQuery({
    queryKey: queryKeys.report(_id, 'trade', SALES_DAYS),
    queryFn: ({ signal }) =>
      send(tradeReport, { query: { days: SALES_DAYS, ...readerClock() } }, { signal }),
    staleTime: STALE_MS,
  })
  return data?.services.find(({ service }) => service === uid)
}
