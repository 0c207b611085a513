/** What the dashboard asks for. Everything is asked again each half minute while somebody looks. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getAdminDashboard } from '#contract/admin.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'

export const DASHBOARD_REFRESH_MS = 30_000

/** Days are the reader's own. */
export function useDashboard() {
  const { _id } = useUser()
  return useQuery({
    queryKey: queryKeys.adminDashboard(_id),
    queryFn: ({ signal }) =>
      send(getAdminDashboard, { query: { offset: -new Date().getTimezoneOffset() } }, { signal }),
    refetchInterval: DASHBOARD_REFRESH_MS,
  })
}

/** After something was done: whatever is on the screen is asked for anew. Resolves when it is there. */
export function useRefreshAll(): () => Promise<void> {
  const { _id } = useUser()
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: queryKeys.ofUser(_id) })
}
