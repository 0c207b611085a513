import { retryFailed } from '#contract/batches.ts'
import { isTerminal } from '#contract/progress.ts'
import type { RetryOutcome } from '#contract/progress.ts'
import {
  clearErrors,
  failRetry,
  finishRetry,
  startRetry,
  useProgress,
} from '#web/batches/progress-store.ts'
import { messageOf, send } from '#web/client/send.ts'
import { settled, statusOf, take } from './follow.ts'

/** Orders whose retry has not been answered; a second click waits with the first. */
const asked = new Set<string>()

/** Buys the failed labels of the followed order again. Never throws: what went wrong stands in the store. */
export async function retryFollowed(userId: string): Promise<void> {
  const { orderId, failedCount } = useProgress.getState()
  if (orderId === null || asked.has(orderId)) return
  asked.add(orderId)
  startRetry()
  try {
    const outcome = await send(retryFailed, { params: { orderId } })
    if (!isShown(orderId)) return
    finishRetry(outcome)
    if (!isTerminal(outcome.status)) finishLater(orderId, outcome, failedCount)
  } catch (reason) {
    if (!isShown(orderId)) return
    failRetry(messageOf(reason, ''))
    await lookAgain(userId, orderId)
  } finally {
    asked.delete(orderId)
    settled(userId)
  }
}

const isShown = (orderId: string): boolean => useProgress.getState().orderId === orderId

/** A long retry is answered before it ends (architecture, 5); its outcome is read from the state in which it ends. */
function finishLater(orderId: string, answered: RetryOutcome, failedBefore: number): void {
  const stop = useProgress.subscribe(state => {
    const ended = isTerminal(state.orderStatus)
    if (state.orderId === orderId && !ended) return
    stop()
    if (state.orderId !== orderId) return
    finishRetry({
      ...answered,
      status: state.orderStatus,
      fileData: state.fileData,
      finalProcessedCount: state.processedCount,
      finalFailedCount: state.failedCount,
      newlySuccessfulCount: failedBefore - state.failedCount,
    })
  })
}

/** The answer may have been lost, or another tab retries already: then it runs, and is followed in place of complaining. */
async function lookAgain(userId: string, orderId: string): Promise<void> {
  const now = await statusOf(orderId, new AbortController().signal).catch(() => null)
  if (!now || !isShown(orderId)) return
  if (!isTerminal(now.status)) clearErrors()
  take(userId, now)
}
