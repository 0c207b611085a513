/** The newest orders and deposits, shared by the lists and the figures above them. */
import { useQuery } from '@tanstack/react-query'
import { recentOrders } from '#contract/orders.ts'
import { recentDeposits } from '#contract/payments.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'

export function useRecentOrders() {
  const { _id: userId } = useShownAccount().user
  return useQuery({
    queryKey: queryKeys.recentOrders(userId),
    queryFn: async () => (await send(recentOrders, { params: { userId }, query: {} })).recentOrders,
  })
}

export function useRecentDeposits() {
  const { _id: userId } = useShownAccount().user
  return useQuery({
    queryKey: queryKeys.recentDeposits(userId),
    queryFn: () => send(recentDeposits, { params: { userId }, query: {} }),
  })
}
