import { useQuery } from '@tanstack/react-query'
import { batchStatus } from '#contract/batches.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import type { ProgressState } from './progress-state.ts'

/** More failed labels than these are only counted. */
const MAX_READ_FAILURES = 100

export type Outcome = ResponseData<typeof batchStatus>

/**
 * The file of a bulk order; once it has ended also what it cost, which of its labels failed, and how many were voided since.
 */
export function useOutcome(
  userId: string,
  { orderId, failedCount }: ProgressState,
  hasEnded: boolean,
  enabled: boolean,
): Outcome | undefined {
  const isRead = hasEnded && failedCount > 0 && failedCount <= MAX_READ_FAILURES
  return useQuery({
    queryKey: [
      ...queryKeys.batch(userId, orderId ?? ''),
      'outcome',
      hasEnded ? failedCount : 'running',
    ],
    queryFn: ({ signal }) =>
      send(
        batchStatus,
        { params: { orderId: orderId ?? '' }, query: { failedLabels: isRead ? 'all' : 'none' } },
        { signal },
      ),
    enabled: enabled && orderId !== null,
    staleTime: hasEnded ? 0 : Infinity,
  }).data
}
