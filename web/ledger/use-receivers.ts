import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listOrders } from '#contract/orders.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'

/** Names of the receivers by order id. */
export type Receivers = ReadonlyMap<string, string>

const NONE: Receivers = new Map()

/**
 * The statement names orders by id alone, as a key that reads the wallet may not read addresses.
 * Empty while they load or when they cannot be loaded: the lines are complete without them.
 * `userId`: null asks for none.
 */
export function useReceivers(userId: string | null, orderIds: readonly string[]): Receivers {
  const ids = orderIds.join(',')
  const { data } = useQuery({
    queryKey: queryKeys.receivers(userId ?? '', ids),
    enabled: userId !== null && ids !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { ids, page: 1, limit: orderIds.length }
      const { orders } = await send(listOrders, { params: { userId: userId! }, query }, { signal })
      return new Map(orders.map(order => [order._id, order.receiver.receiver_name ?? '']))
    },
  })
  return data ?? NONE
}
