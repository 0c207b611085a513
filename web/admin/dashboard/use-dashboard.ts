/** What the dashboard asks for. Everything is asked again each half minute while somebody looks. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { dashboard } from '#contract/admin.ts'
import { keys } from '#web/client/keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'

export const REFRESH_MS = 30_000

/** Days are the reader's own. */
export function useDashboard() {
  const { _id } = useUser()
  return useQuery({
    queryKey: keys.adminDashboard(_id),
    queryFn: ({ signal }) =>
      send(dashboard, { query: { offset: -new Date().getTimezoneOffset() } }, { signal }),
    refetchInterval: REFRESH_MS,
  })
}

/** After something was done: whatever is on the screen is asked for anew. Resolves when it is there. */
export function useRefresh(): () => Promise<void> {
  const { _id } = useUser()
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: keys.all(_id) })
}
