/** The newest orders, shared by the list and the figures above it. */
import { useQuery } from '@tanstack/react-query'
import { recentOrders } from '#contract/orders.ts'
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
