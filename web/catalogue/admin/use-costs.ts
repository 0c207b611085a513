import { useQuery } from '@tanstack/react-query'
import { costReport, tradeReport } from '#contract/reports.ts'
import type { TradeReport } from '#contract/reports.ts'
import type { PoundCost } from '#web/charts/steps.ts'
import { readerTimeZone } from '#web/charts/time-zone.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'

const STALE_MS = 60_000

export type ServiceCosts = {
  /** Lightest first; empty while loading and where no label was bought. */
  costs: readonly PoundCost[]
  /** Labels that the costs are averages of. */
  labels: number
  state: 'loading' | 'failed' | 'ready'
  retry: () => void
}

/** What the carrier charged for a service by weight. All services share one call. */
export function useServiceCosts(uid: string): ServiceCosts {
  const { _id } = useUser()
  const { data, isError, refetch } = useQuery({
    queryKey: queryKeys.carrierCosts(_id),
    queryFn: ({ signal }) => send(costReport, {}, { signal }),
    staleTime: STALE_MS,
  })
  const found = data?.services.find(({ service }) => service === uid)
  return {
    costs: found?.costs ?? [],
    labels: found?.labels ?? 0,
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
      send(tradeReport, { query: { days: SALES_DAYS, timezone: readerTimeZone() } }, { signal }),
    staleTime: STALE_MS,
  })
  return data?.services.find(({ service }) => service === uid)
}
