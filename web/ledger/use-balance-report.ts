import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { balanceReport } from '#contract/reports.ts'
import type { ReportDays } from '#contract/reports.ts'
import { readerClock } from '#web/charts/time-zone.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'

/** The balance of the last days with its deposits. A new balance means a new report. */
export function useBalanceReport(days: ReportDays) {
  const { _id: userId, balance } = useShownAccount().user
  return useQuery({
    queryKey: queryKeys.report(userId, 'balance', days, balance),
    queryFn: ({ signal }) =>
      send(balanceReport, { params: { userId }, query: { days, ...readerClock() } }, { signal }),
    placeholderData: keepPreviousData,
  })
}
