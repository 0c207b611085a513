/** The newest orders and their number, shared by the list, the figures and the first steps. */
import { useQuery } from '@tanstack/react-query'
import { recentOrders } from '#contract/orders.ts'
import { totalOrdersQuery } from '#web/client/queries.ts'
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

export function useTotalOrders() {
  const { _id: userId } = useShownAccount().user
  return useQuery(totalOrdersQuery(userId))
}
