/** The newest deposits of the shown account, newest first. */
import { useQuery } from '@tanstack/react-query'
import { recentDeposits } from '#contract/payments.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'

export function useRecentDeposits() {
  const { _id: userId } = useShownAccount().user
  return useQuery({
    queryKey: queryKeys.recentDeposits(userId),
    queryFn: () => send(recentDeposits, { params: { userId }, query: {} }),
  })
}
