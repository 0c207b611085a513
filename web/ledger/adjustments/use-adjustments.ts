import { useQuery, useQueryClient } from '@tanstack/react-query'
import { disputeAdjustment, listAdjustments } from '#contract/adjustments.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'

/** `orderId`: of one label; undefined for all. `balance`: a new one means new charges. */
export function useAdjustments(userId: string, orderId: string | undefined, balance?: number) {
  return useQuery({
    queryKey: queryKeys.adjustments(userId, orderId, balance),
    queryFn: ({ signal }) =>
      send(listAdjustments, { params: { userId }, query: { orderId } }, { signal }),
  })
}

/** Throws ApiError. */
export function useDispute(userId: string) {
  const queries = useQueryClient()
  return async (id: string, note: string): Promise<void> => {
    await send(disputeAdjustment, { params: { userId, id }, body: { note } }).finally(() =>
      queries.invalidateQueries({ queryKey: queryKeys.adjustments(userId) }),
    )
  }
}
