/**
 * How the store learns what became of its order: live events, and a question each second (specification, 4 and 7). The server
 * is the truth and both are hints, so each may be missing, late or doubled.
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

/** Specification, 9. */
const POLL_MS = 1000
/** A question that hangs is worth no more than one that failed. */
const STATUS_TIMEOUT_MS = 10_000
/** A restart of the server takes a few seconds; a customer need not be told of it. */
const FAILURES_BEFORE_ERROR = 5

/**
 * Whether there is something to follow: a shown order that is at work or being retried. An id that no server gave (the demo
 * page has such an order) is followed by nobody.
 */
export const isFollowed = (state: ProgressState): boolean =>
  (shouldPoll(state) || (state.isRetrying && state.isVisible))
  && Id.safeParse(state.orderId).success

/** Follows one order until the returned function is called. */
export function followOrder(userId: string, orderId: string): () => void {
  const controller = new AbortController()
  let newest = ''
  let failures = 0

  const onProgress = (event: BatchProgress): void => {
    if (
      controller.signal.aborted
      || event.orderId !== orderId
      || useProgress.getState().orderId !== orderId
    )
      return
    failures = 0
    setStatusError(null)
    // An answer may be overtaken on its way by a later event; nobody is sent back in time.
    if (event.updatedAt < newest) return
    newest = event.updatedAt
    applyProgress(userId, event)
  }

  const poll = async (): Promise<void> => {
    const startedAt = Date.now()
    try {
      onProgress(await fetchProgress(orderId, controller.signal))
    } catch (reason) {
      if (controller.signal.aborted) return
      // Another database, or an order that is no longer ours: there is nothing to show and nothing to complain about.
      if (reason instanceof ApiError && reason.status === 404) return resetBulkOrder()
      failures += 1
      if (failures >= FAILURES_BEFORE_ERROR)
        setStatusError(texts.overlay.statusError(messageOf(reason, texts.unreachable)))
    }
    const timer = setTimeout(poll, Math.max(0, startedAt + POLL_MS - Date.now()))
    controller.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }

  void poll()
  // Without the live line the questions tell the same, a second later at most.
  listenForProgress(orderId, onProgress, controller.signal).catch(() => {})
  return () => controller.abort()
}

/** The progress of an order, from the server; its failed labels are for the list. */
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
  // After each reconnection too: a new connection is in no room.
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

/** Enters what is known now into the store and into the list of bulk orders, so that both say the same. */
export function applyProgress(userId: string, event: BatchProgress): void {
  const before = useProgress.getState().orderStatus
  updateProgress(event)
  queryClient.setQueriesData<BatchPage>(
    { queryKey: queryKeys.batchPages(userId) },
    page => page && { ...page, rows: page.rows.map(row => withProgress(row, event)) },
  )
  if (isTerminal(event.status) && !isTerminal(before)) refreshAfterEnd(userId)
}

export type BatchPage = { rows: Batch[]; total: number }

const withProgress = (
  row: Batch,
  { orderId, status, processedCount, failedCount, totalCount, fileData }: BatchProgress,
): Batch =>
  row._id === orderId
    ? { ...row, status, processedCount, failedCount, totalCount, ...fileData }
    : row

/** An order came to its end: money has moved, labels and files are there. */
export function refreshAfterEnd(userId: string): void {
  void refreshUser()
  void queryClient.invalidateQueries({ queryKey: queryKeys.orders(userId) })
  void queryClient.invalidateQueries({ queryKey: queryKeys.batches(userId) })
}
