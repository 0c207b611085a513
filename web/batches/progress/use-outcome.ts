import { useQuery } from '@tanstack/react-query'
import { batchStatus } from '#contract/batches.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import type { ProgressState } from './progress-state.ts'

/** More failed labels than these are only counted. */
const MAX_READ_FAILURES = 100

export type Outcome = ResponseData<typeof batchStatus>

const read = (orderId: string | null, failedLabels: 'all' | 'none', signal: AbortSignal) =>
  send(batchStatus, { params: { orderId: orderId ?? '' }, query: { failedLabels } }, { signal })

/** Of an order that has ended: what it cost, which of its labels failed, and how many were voided since. */
export function useOutcome(
  userId: string,
  { orderId, failedCount }: ProgressState,
  enabled: boolean,
): Outcome | undefined {
  const isRead = failedCount > 0 && failedCount <= MAX_READ_FAILURES
  return useQuery({
    queryKey: [...queryKeys.batch(userId, orderId ?? ''), 'outcome', failedCount],
    queryFn: ({ signal }) => read(orderId, isRead ? 'all' : 'none', signal),
    enabled: enabled && orderId !== null,
    staleTime: 0,
  }).data
}

/** The file that an order was made of, which never changes; undefined until it is known and without one. */
export function useFileName(
  userId: string,
  { orderId }: ProgressState,
  enabled: boolean,
): string | undefined {
  const { data } = useQuery({
    queryKey: [...queryKeys.batch(userId, orderId ?? ''), 'file'],
    queryFn: async ({ signal }) => (await read(orderId, 'none', signal)).fileName,
    enabled: enabled && orderId !== null,
    staleTime: Infinity,
  })
  return data ?? undefined
}
