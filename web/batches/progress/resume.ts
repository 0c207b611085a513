import { runningBatch } from '#contract/batches.ts'
import { ApiError, send } from '#web/client/send.ts'
import { serverNow } from '#web/client/server-clock.ts'
import { fetchProgress } from './follow.ts'
import {
  initializeOrder,
  minimize,
  startSavingProgress,
  resumeOrder,
  useProgress,
} from './progress-store.ts'
import { clearSavedProgress } from './saved-progress.ts'
import type { SavedProgress } from './saved-progress.ts'

/**
 * Finds the followed order after a reload or a sign-in: the one saved in this tab, or the newest
 * one that runs. The latter opens as the small card, because the user did not open it.
 */
export async function resumeProgress(userId: string, signal: AbortSignal): Promise<void> {
  const saved = startSavingProgress(userId)
  // A new order may have been submitted meanwhile; it has priority.
  const isFree = () => !signal.aborted && useProgress.getState().orderId === null
  if (saved && isFree() && (await resumeSavedProgress(saved, signal, isFree))) return
  if (isFree()) clearSavedProgress(userId)
  const { running } = await send(runningBatch, { params: { userId } }, { signal })
  if (running && isFree())
    resumeOrder(running, { startTime: Date.parse(running.startedAt), isMinimized: true })
}

/**
 * False if the server does not know the order. If the server is unreachable, the order is shown and
 * polled.
 */
async function resumeSavedProgress(
  saved: SavedProgress,
  signal: AbortSignal,
  isFree: () => boolean,
): Promise<boolean> {
  const { orderId, elapsedTime, isMinimized } = saved
  const startTime = saved.startTime ?? serverNow()
  try {
    const found = await fetchProgress(orderId, signal)
    if (isFree()) resumeOrder(found, { startTime, elapsedTime, isMinimized })
  } catch (reason) {
    if (reason instanceof ApiError && reason.status >= 400 && reason.status < 500) return false
    if (!isFree()) return true
    initializeOrder({ orderId, totalCount: 0 })
    useProgress.setState({ startTime, elapsedTime })
    if (isMinimized) minimize()
  }
  return true
}
