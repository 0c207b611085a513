/**
 * The bulk order that this browser follows, on every page. The operations are in progress-state.ts;
 * this is the store, with the current time and storage over a reload. It does not talk to the
 * server; follow.ts does.
 */
import { create } from 'zustand'
import { isTerminal } from '#contract/batch-status.ts'
import type { BatchProgress } from '#contract/batches.ts'
import { serverNow } from '#web/client/server-clock.ts'
import { onSessionEnd } from '#web/client/session.ts'
import { dismissSuccessToasts } from '#web/ui/toasts.ts'
import type { TrackedOrder, ProgressState, ProgressUpdate, RetryResult } from './progress-state.ts'
import * as progressState from './progress-state.ts'
import { clearSavedProgress, loadSavedProgress, saveProgress } from './saved-progress.ts'

export const useProgress = create<ProgressState>(() => ({
  ...progressState.INITIAL_PROGRESS_STATE,
}))

const applyStep = (change: (state: ProgressState) => ProgressState): void =>
  useProgress.setState(change)

export const showModal = (orderId: string | null = null): void =>
  applyStep(state => progressState.showModal(state, orderId, serverNow()))
export const minimize = (): void => applyStep(progressState.minimize)
export const maximize = (): void => applyStep(progressState.maximize)
export const hideModal = (): void => applyStep(progressState.hideModal)

export const initializeOrder = (order: TrackedOrder): void =>
  applyStep(state => progressState.initializeOrder(state, order, serverNow()))

/** `startTime` in ms since the epoch, `elapsedTime` in whole seconds. */
type ResumePoint = { startTime: number; elapsedTime?: number; isMinimized?: boolean }

/** Continues to follow an order: after a reload, at a sign-in, or from the list. */
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
    const initial = progressState.initializeOrder(
      state,
      { orderId, totalCount, orderStatus, processedCount, failedCount },
      startTime,
    )
    return progressState.updateElapsedTime(
      progressState.updateProgress({ ...initial, fileData, elapsedTime, isMinimized }, found),
      serverNow(),
    )
  })

export const updateProgress = (update: ProgressUpdate): void =>
  applyStep(state => progressState.updateProgress(state, update))
export const clearErrors = (): void => applyStep(progressState.clearErrors)
export const resetBulkOrder = (): void => applyStep(progressState.resetBulkOrder)

export const tick = (): void =>
  applyStep(state => progressState.updateElapsedTime(state, serverNow()))

export const startRetry = (): void => applyStep(progressState.startRetry)
export const finishRetry = (result: RetryResult): void =>
  applyStep(state => progressState.finishRetry(state, result))
export const failRetry = (reason?: string | null, boughtSince?: boolean): void =>
  applyStep(state => progressState.failRetry(state, reason, boughtSince))

/**
 * Shows that an order of `totalCount` labels was refused; `error` is shown as it is. False if a
 * running order is being followed, which stays.
 */
export function failOrder(error: string, totalCount: number): boolean {
  const { orderId, isRetrying, orderStatus } = useProgress.getState()
  if (orderId !== null && (isRetrying || !isTerminal(orderStatus))) return false
  applyStep(() => ({ ...progressState.INITIAL_PROGRESS_STATE, isVisible: true, totalCount, error }))
  return true
}

/** Null: the status can be loaded again. */
export const setStatusError = (statusError: string | null): void =>
  applyStep(state => (state.statusError === statusError ? state : { ...state, statusError }))

/** The demo order (demo.ts). Not a server id, so it is never followed or saved. */
export const DEMO_ORDER_ID = 'demo'

let ownerId: string | null = null

/**
 * From now on the followed order is saved for this user in this tab, until the tab closes or the
 * user signs out. Returns what was saved before the page was loaded, or null.
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

const isLarge = ({ isVisible, isMinimized }: ProgressState): boolean => isVisible && !isMinimized

// 'File Uploaded successfully.' would otherwise hang over the dialog of the order.
useProgress.subscribe((state, before) => {
  if (isLarge(state) && !isLarge(before)) dismissSuccessToasts()
})

onSessionEnd(() => {
  resetBulkOrder()
  ownerId = null
})
