import { isTerminal } from '#contract/batch-status.ts'
import { retryFailedLabels } from '#contract/batches.ts'
import { ApiError, messageOf, send } from '#web/client/send.ts'
import { refreshAfterEnd, fetchProgress, applyProgress } from './follow.ts'
import type { RetryResult } from './progress-state.ts'
import { clearErrors, failRetry, finishRetry, startRetry, useProgress } from './progress-store.ts'

/** Orders with a retry in progress, so a second click does nothing. */
const pendingRetries = new Set<string>()

/**
 * Buys the failed labels of the followed order again; `allowRepeats`: those too that were bought since,
 * after a refusal and a question. Never throws: errors are in the store.
 */
export async function retryFollowedOrder(userId: string, allowRepeats = false): Promise<void> {
  const { orderId, failedCount } = useProgress.getState()
  if (orderId === null || pendingRetries.has(orderId)) return
  pendingRetries.add(orderId)
  startRetry()
  try {
    const result = await send(retryFailedLabels, {
      params: { orderId },
      query: allowRepeats ? { allowRepeats: '1' } : {},
    })
    if (!isFollowing(orderId)) return
    finishRetry(result)
    if (!isTerminal(result.status)) finishRetryWhenEnded(orderId, result, failedCount)
  } catch (reason) {
    await endFailedRetry(userId, orderId, reason)
  } finally {
    pendingRetries.delete(orderId)
    refreshAfterEnd(userId)
  }
}

const isBoughtSince = (reason: unknown): boolean =>
  reason instanceof ApiError && reason.code === 'already_bought'

const isFollowing = (orderId: string): boolean => useProgress.getState().orderId === orderId

/** A long retry gets its response before it ends; its result is read from the final state. */
function finishRetryWhenEnded(orderId: string, response: RetryResult, failedBefore: number): void {
  const stop = useProgress.subscribe(state => {
    const ended = isTerminal(state.orderStatus)
    if (state.orderId === orderId && !ended) return
    stop()
    if (state.orderId !== orderId) return
    finishRetry({
      ...response,
      status: state.orderStatus,
      fileData: state.fileData,
      finalProcessedCount: state.processedCount,
      finalFailedCount: state.failedCount,
      newlySuccessfulCount: failedBefore - state.failedCount,
    })
  })
}

/**
 * The response may have been lost, or another tab is retrying: then follows the retry instead of
 * showing an error. The error appears after this check, because its buttons work only once the
 * retry is no longer pending.
 */
async function endFailedRetry(userId: string, orderId: string, reason: unknown): Promise<void> {
  const progress = await fetchProgress(orderId, new AbortController().signal).catch(() => null)
  if (!isFollowing(orderId)) return
  failRetry(messageOf(reason, ''), isBoughtSince(reason))
  if (!progress) return
  if (!isTerminal(progress.status)) clearErrors()
  applyProgress(userId, progress)
}
