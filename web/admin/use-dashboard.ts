/** Queries of the dashboard, repeated every 30 seconds. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { listBalanceRequests } from '#contract/accounts.ts'
import { booksByMonth, getAdminDashboard } from '#contract/admin.ts'
import { runwayReport, tradeReport } from '#contract/reports.ts'
import type { ReportDays } from '#contract/reports.ts'
import { readerClock } from '#web/charts/time-zone.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'

export const DASHBOARD_REFRESH_MS = 30_000

/** Days are in the reader's time zone. */
export function useDashboard() {
  const { _id } = useUser()
  return useQuery({
    queryKey: queryKeys.adminDashboard(_id),
    queryFn: ({ signal }) => send(getAdminDashboard, { query: readerClock() }, { signal }),
    refetchInterval: DASHBOARD_REFRESH_MS,
  })
}

/** Revenue, cost and margin of the last days. */
export function useTradeReport(days: ReportDays) {
  const { _id } = useUser()
  return useQuery({
    queryKey: queryKeys.report(_id, 'trade', days),
    queryFn: ({ signal }) => send(tradeReport, { query: { days, ...readerClock() } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: DASHBOARD_REFRESH_MS,
  })
}

/** The last months in UTC, as the months and dates of exported statements and labels. */
export function useBooks() {
  const { _id } = useUser()
  return useQuery({
    queryKey: queryKeys.books(_id),
    queryFn: ({ signal }) => send(booksByMonth, { query: {} }, { signal }),
    refetchInterval: DASHBOARD_REFRESH_MS,
  })
}

/** How long the balance of the carrier account lasts. */
export function useRunwayReport() {
  const { _id } = useUser()
  return useQuery({
    queryKey: queryKeys.report(_id, 'runway', 0),
    queryFn: ({ signal }) => send(runwayReport, {}, { signal }),
    refetchInterval: DASHBOARD_REFRESH_MS,
    retry: false,
  })
}

/** Adjustments that wait for a second administrator, oldest first. */
export function useBalanceRequests() {
  const { _id } = useUser()
  return useQuery({
    queryKey: queryKeys.balanceRequests(_id),
    queryFn: ({ signal }) => send(listBalanceRequests, {}, { signal }),
    refetchInterval: DASHBOARD_REFRESH_MS,
  })
}

/** Reloads everything on the screen. Resolves when it has arrived. */
export function useRefreshAll(): () => Promise<void> {
  const { _id } = useUser()
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: queryKeys.ofUser(_id) })
}
