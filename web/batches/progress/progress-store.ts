/**
 * The bulk order that this browser follows, on every page. The operations are `progress-state.ts`; here they get a life: the
 * store, the clock's "now", and a memory that survives a reload. Nothing here talks to the server: `progress/follow.ts` does.
 */
import { create } from 'zustand'
import { isTerminal } from '#contract/batch-status.ts'
import type { BatchProgress } from '#contract/batches.ts'
import { onSessionEnd } from '#web/client/session.ts'
import type { TrackedOrder, ProgressState, ProgressUpdate, RetryResult } from './progress-state.ts'
import * as progressState from './progress-state.ts'
import { clearSavedProgress, loadSavedProgress, saveProgress } from './saved-progress.ts'

export const useProgress = create<ProgressState>(() => ({
  ...progressState.INITIAL_PROGRESS_STATE,
}))

const applyStep = (change: (state: ProgressState) => ProgressState): void =>
  useProgress.setState(change)

/** Shows the modal, not minimised. With an order id that order is followed and its clock restarts. */
export const showModal = (orderId: string | null = null): void =>
  applyStep(state => progressState.showModal(state, orderId, Date.now()))
export const minimize = (): void => applyStep(progressState.minimize)
export const maximize = (): void => applyStep(progressState.maximize)
export const hideModal = (): void => applyStep(progressState.hideModal)

/** Follows an order from its start: counts, status and files of an earlier one are gone, the clock restarts, the modal is shown. */
export const initializeOrder = (order: TrackedOrder): void =>
  applyStep(state => progressState.initializeOrder(state, order, Date.now()))

/** What is known of an order besides its progress when it is found again. Times: start in ms since the epoch, elapsed in whole seconds. */
export type ResumePoint = { startTime: number; elapsedTime?: number; isMinimized?: boolean }

/** Goes on following an order that was found: after a reload, at a sign-in, or from the list. */
export const resumeOrder = (
  found: BatchProgress,
  { startTime, elapsedTime = 0, isMinimized = false }: ResumePoint,
): void =>
  applyStep(state => {
    const {
      orderId,
      totalCount,
      status: orderStatus,
      processedCount,
      failedCount,
      fileData,
    } = found
    const begun = progressState.initializeOrder(
      state,
      { orderId, totalCount, orderStatus, processedCount, failedCount },
      startTime,
    )
    return progressState.updateElapsedTime(
      progressState.updateProgress({ ...begun, fileData, elapsedTime, isMinimized }, found),
      Date.now(),
    )
  })

/** Changes the counts that are numbers, and status and files when given. */
export const updateProgress = (update: ProgressUpdate): void =>
  applyStep(state => progressState.updateProgress(state, update))
export const clearErrors = (): void => applyStep(progressState.clearErrors)
export const resetBulkOrder = (): void => applyStep(progressState.resetBulkOrder)

/** Once a second while the clock runs. */
export const tick = (): void =>
  applyStep(state => progressState.updateElapsedTime(state, Date.now()))

export const startRetry = (): void => applyStep(progressState.startRetry)
export const finishRetry = (result: RetryResult): void =>
  applyStep(state => progressState.finishRetry(state, result))
export const failRetry = (reason?: string | null): void =>
  applyStep(state => progressState.failRetry(state, reason))

/**
 * An order of `totalCount` labels was refused before it began; the sentence is shown as it stands (specification, 8). False where an
 * order that is at work is being followed: that one stays.
 */
export function failOrder(error: string, totalCount: number): boolean {
  const { orderId, isRetrying, orderStatus } = useProgress.getState()
  if (orderId !== null && (isRetrying || !isTerminal(orderStatus))) return false
  applyStep(() => ({ ...progressState.INITIAL_PROGRESS_STATE, isVisible: true, totalCount, error }))
  return true
}

/** The status could not be asked for; null when it can again. */
export const setStatusError = (statusError: string | null): void =>
  applyStep(state => (state.statusError === statusError ? state : { ...state, statusError }))

/** The order of the demonstration (progress/demo.ts). Not an id that a server gives: it is followed and remembered by nobody. */
export const DEMO_ORDER_ID = 'demo'

let ownerId: string | null = null

/**
 * From now on what is followed is remembered for this user, in this tab, until it is closed or signed out of.
 * Answers what an earlier load of the page was following, or null.
 */
export function startSavingProgress(userId: string): ReturnType<typeof loadSavedProgress> {
  ownerId = userId
  return useProgress.getState().orderId === null ? loadSavedProgress(userId) : null
}

useProgress.subscribe(state => {
  if (ownerId === null) return
  const { orderId } = state
  if (orderId !== null && orderId !== DEMO_ORDER_ID && state.isVisible)
    saveProgress(ownerId, { ...state, orderId })
  else clearSavedProgress(ownerId)
})

// Logout resets the floating modal (specification, 4).
onSessionEnd(() => {
  resetBulkOrder()
  ownerId = null
})
