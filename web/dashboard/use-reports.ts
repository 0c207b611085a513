/** Reports of the dashboard. A new balance means new labels or deposits, so it is part of their keys. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { destinationReport, salesReport, taskReport } from '#contract/reports.ts'
import type { ReportDays } from '#contract/reports.ts'
import { readerClock } from '#web/charts/time-zone.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'

const requestFor = (userId: string, days: ReportDays) => ({
  params: { userId },
  query: { days, ...readerClock() },
})

/** Labels and dollars per day and service. */
export function useSalesReport(days: ReportDays) {
  const { _id: userId, balance } = useShownAccount().user
  return useQuery({
    queryKey: queryKeys.report(userId, 'sales', days, balance),
    queryFn: ({ signal }) => send(salesReport, requestFor(userId, days), { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Labels per state of the receiver. `period`: days of these figures, which may be those shown before. */
export function useDestinationReport(days: ReportDays) {
  const { _id: userId, balance } = useShownAccount().user
  return useQuery({
    queryKey: queryKeys.report(userId, 'destinations', days, balance),
    queryFn: async ({ signal }) => ({
      ...(await send(destinationReport, requestFor(userId, days), { signal })),
      period: days,
    }),
    placeholderData: keepPreviousData,
  })
}

/** What the user has to do now. */
export function useTaskReport() {
  const { _id: userId, balance } = useShownAccount().user
  return useQuery({
    queryKey: queryKeys.report(userId, 'tasks', 0, balance),
    queryFn: ({ signal }) => send(taskReport, { params: { userId } }, { signal }),
    placeholderData: keepPreviousData,
    // An invoice may be paid and labels may fail in another window.
    refetchInterval: TASK_REFRESH_MS,
  })
}
const TASK_REFRESH_MS = 60_000
