/**
 * The bulk order that this browser follows, on every page. The rules are `contract/progress.ts`; here they get a life: the
 * store, the clock's "now", and a memory that survives a reload. Nothing here talks to the server: `progress/follow.ts` does.
 */
import { create } from 'zustand'
import type { OrderProgress } from '#contract/batches.ts'
import type { NewOrder, ProgressState, ProgressUpdate, RetryOutcome } from '#contract/progress.ts'
import * as steps from '#contract/progress.ts'
import { isTerminal } from '#contract/progress.ts'
import { whenSessionEnds } from '#web/client/session.ts'
import { forget, recall, remember } from './progress/memory.ts'

export const useProgress = create<ProgressState>(() => ({ ...steps.INITIAL_PROGRESS }))

const step = (change: (state: ProgressState) => ProgressState): void => useProgress.setState(change)

/** Shows the modal, not minimised. With an order id that order is followed and its clock restarts. */
export const showModal = (orderId: string | null = null): void =>
  step(state => steps.showModal(state, orderId, Date.now()))
export const minimize = (): void => step(steps.minimize)
export const maximize = (): void => step(steps.maximize)
export const hideModal = (): void => step(steps.hideModal)

/** Follows an order from its start: counts, status and files of an earlier one are gone, the clock restarts, the modal is shown. */
export const initializeOrder = (order: NewOrder): void =>
  step(state => steps.initializeOrder(state, order, Date.now()))

/** What is known of an order besides its progress when it is found again. Times: start in ms since the epoch, elapsed in whole seconds. */
export type Since = { startTime: number; elapsedTime?: number; isMinimized?: boolean }

/** Goes on following an order that was found: after a reload, at a sign-in, or from the list. */
export const resumeOrder = (
  found: OrderProgress,
  { startTime, elapsedTime = 0, isMinimized = false }: Since,
): void =>
  step(state => {
    const {
      orderId,
      totalCount,
      status: orderStatus,
      processedCount,
      failedCount,
      fileData,
    } = found
    const begun = steps.initializeOrder(
      state,
      { orderId, totalCount, orderStatus, processedCount, failedCount },
      startTime,
    )
    return steps.tick(
      steps.updateProgress({ ...begun, fileData, elapsedTime, isMinimized }, found),
      Date.now(),
    )
  })

/** Changes the counts that are numbers, and status and files when given. */
export const updateProgress = (update: ProgressUpdate): void =>
  step(state => steps.updateProgress(state, update))
export const clearErrors = (): void => step(steps.clearErrors)
export const resetBulkOrder = (): void => step(steps.resetBulkOrder)

/** Once a second while the clock runs. */
export const tick = (): void => step(state => steps.tick(state, Date.now()))

export const startRetry = (): void => step(steps.startRetry)
export const finishRetry = (outcome: RetryOutcome): void =>
  step(state => steps.finishRetry(state, outcome))
export const failRetry = (reason?: string | null): void =>
  step(state => steps.failRetry(state, reason))

/**
 * An order of `totalCount` labels was refused before it began; the sentence is shown as it stands (specification, 8). False where an
 * order that is at work is being followed: that one stays.
 */
export function failOrder(error: string, totalCount: number): boolean {
  const { orderId, isRetrying, orderStatus } = useProgress.getState()
  if (orderId !== null && (isRetrying || !isTerminal(orderStatus))) return false
  step(() => ({ ...steps.INITIAL_PROGRESS, isVisible: true, totalCount, error }))
  return true
}

/** The status could not be asked for; null when it can again. */
export const setStatusError = (statusError: string | null): void =>
  step(state => (state.statusError === statusError ? state : { ...state, statusError }))

/** The order of the demonstration (progress/demo.ts). Not an id that a server gives: it is followed and remembered by nobody. */
export const DEMO_ORDER = 'demo'

let ownerId: string | null = null

/**
 * From now on what is followed is remembered for this user, in this tab, until it is closed or signed out of.
 * Answers what an earlier load of the page was following, or null.
 */
export function rememberFor(userId: string): ReturnType<typeof recall> {
  ownerId = userId
  return useProgress.getState().orderId === null ? recall(userId) : null
}

useProgress.subscribe(state => {
  if (ownerId === null) return
  const { orderId } = state
  if (orderId !== null && orderId !== DEMO_ORDER && state.isVisible)
    remember(ownerId, { ...state, orderId })
  else forget(ownerId)
})

// Logout resets the floating modal (specification, 4).
whenSessionEnds(() => {
  resetBulkOrder()
  ownerId = null
})
