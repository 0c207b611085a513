/**
 * Keeps the store up to date with the server: live events, and a poll each second. Each of the two
 * may be missing, late or doubled.
 */
import { isTerminal } from '#contract/batch-status.ts'
import type { Batch, BatchProgress } from '#contract/batches.ts'
import { batchStatus } from '#contract/batches.ts'
import { Id } from '#contract/endpoint.ts'
import { texts } from '#web/batches/texts.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, messageOf, send } from '#web/client/send.ts'
import { refreshUser } from '#web/client/session.ts'
import { openSocket } from '#web/client/socket.ts'
import { shouldPoll } from './progress-state.ts'
import type { ProgressState } from './progress-state.ts'
import { resetBulkOrder, setStatusError, updateProgress, useProgress } from './progress-store.ts'

const POLL_MS = 1000
/** A request that hangs counts as failed. */
const STATUS_TIMEOUT_MS = 10_000
/** A server restart takes a few seconds, which is no error for the customer. */
const FAILURES_BEFORE_ERROR = 5

/**
 * Whether there is something to follow: a visible order that runs or is retried. The demo order has
 * no server id and is not followed.
 */
export const isFollowed = (state: ProgressState): boolean =>
  (shouldPoll(state) || (state.isRetrying && state.isVisible))
  && Id.safeParse(state.orderId).success

/** Follows one order until the returned function is called. */
export function followOrder(userId: string, orderId: string): () => void {
  const controller = new AbortController()
  let newest = ''
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const onProgress = (event: BatchProgress): void => {
    if (
      controller.signal.aborted
      || event.orderId !== orderId
      || useProgress.getState().orderId !== orderId
    )
      return
    failures = 0
    setStatusError(null)
    // A late response may be older than the last event.
    if (event.updatedAt < newest) return
    newest = event.updatedAt
    applyProgress(userId, event)
  }

  const poll = async (): Promise<void> => {
    const startedAt = performance.now()
    try {
      onProgress(await fetchProgress(orderId, controller.signal))
    } catch (reason) {
      if (controller.signal.aborted) return
      // The server's data was replaced, or the order is another user's: nothing to show, and no
      // error.
      if (reason instanceof ApiError && reason.status === 404) return resetBulkOrder()
      failures += 1
      if (failures >= FAILURES_BEFORE_ERROR)
        setStatusError(texts.overlay.statusError(messageOf(reason, texts.unreachable)))
    }
    if (controller.signal.aborted) return
    timer = setTimeout(poll, Math.max(0, startedAt + POLL_MS - performance.now()))
  }

  void poll()
  // Without live events, polling delivers the same at most a second later.
  listenForProgress(orderId, onProgress, controller.signal).catch(() => {})
  return () => {
    controller.abort()
    clearTimeout(timer)
  }
}

export const fetchProgress = (orderId: string, signal: AbortSignal): Promise<BatchProgress> =>
  send(
    batchStatus,
    { params: { orderId }, query: { failedLabels: 'none' } },
    { signal: AbortSignal.any([signal, AbortSignal.timeout(STATUS_TIMEOUT_MS)]) },
  )

async function listenForProgress(
  orderId: string,
  onProgress: (event: BatchProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const socket = await openSocket()
  if (signal.aborted) return
  // After a reconnection too: a new connection is in no room.
  const join = () => socket.emit('joinOrderRoom', `order_${orderId}`)
  socket.on('connect', join)
  socket.on('orderProgress', onProgress)
  signal.addEventListener(
    'abort',
    () => {
      socket.off('connect', join)
      socket.off('orderProgress', onProgress)
    },
    { once: true },
  )
  if (socket.connected) join()
}

/** Updates the store and the list of bulk orders together, so they agree. */
export function applyProgress(userId: string, event: BatchProgress): void {
  const before = useProgress.getState().orderStatus
  updateProgress(event)
  queryClient.setQueriesData<BatchPage>(
    { queryKey: queryKeys.batchPages(userId) },
    page => page && { ...page, rows: page.rows.map(row => withProgress(row, event)) },
  )
  if (isTerminal(event.status) && !isTerminal(before)) refreshAfterEnd(userId)
}

type BatchPage = { rows: Batch[]; total: number }

const withProgress = (
  row: Batch,
  { orderId, status, processedCount, failedCount, totalCount, fileData }: BatchProgress,
): Batch =>
  row._id === orderId
    ? { ...row, status, processedCount, failedCount, totalCount, ...fileData }
    : row

/** At the end of an order, balance, labels and files have changed. */
export function refreshAfterEnd(userId: string): void {
  void refreshUser()
  void queryClient.invalidateQueries({ queryKey: queryKeys.orders(userId) })
  void queryClient.invalidateQueries({ queryKey: queryKeys.batches(userId) })
}
