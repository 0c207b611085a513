/**
 * The progress state of the bulk order that this browser follows, and the operations on it. Pure: the time is passed in, in ms
 * since the epoch.
 */
import { isTerminal } from '#contract/batch-status.ts'
import type { BatchStatus } from '#contract/batch-status.ts'
import type { BatchFileNames } from '#contract/batches.ts'
import { statusTone } from '#web/batches/batch-view.ts'

/**
 * The client's state (specification, 3). `startTime` in ms since the epoch, `elapsedTime` in whole seconds. Beyond the specification:
 * when the end is expected (ms since the epoch), and what is waited for; null while there is nothing to say.
 */
export type ProgressState = {
  isVisible: boolean
  isMinimized: boolean
  orderId: string | null
  orderStatus: BatchStatus
  processedCount: number
  failedCount: number
  totalCount: number
  fileData: BatchFileNames | null
  error: string | null
  statusError: string | null
  retryError: string | null
  isRetrying: boolean
  loading: boolean
  startTime: number | null
  elapsedTime: number
  expectedAt: number | null
  waitingFor: string | null
}

export const INITIAL_PROGRESS_STATE: Readonly<ProgressState> = {
  isVisible: false,
  isMinimized: false,
  orderId: null,
  orderStatus: 'processing',
  processedCount: 0,
  failedCount: 0,
  totalCount: 0,
  fileData: null,
  error: null,
  statusError: null,
  retryError: null,
  isRetrying: false,
  loading: false,
  startTime: null,
  elapsedTime: 0,
  expectedAt: null,
  waitingFor: null,
}

/**
 * Visible and not minimised. With an order id the id is recorded and the timer restarts; an order other than the last one
 * begins with counts and files of its own, so that nobody is shown the files of yesterday.
 */
export function showModal(
  state: ProgressState,
  orderId: string | null,
  now: number,
): ProgressState {
  const shown = { ...state, isVisible: true, isMinimized: false }
  if (orderId === null) return shown
  const base = orderId === state.orderId ? shown : { ...INITIAL_PROGRESS_STATE, isVisible: true }
  return { ...base, orderId, startTime: now, elapsedTime: 0 }
}

export const minimize = (state: ProgressState): ProgressState => ({ ...state, isMinimized: true })
export const maximize = (state: ProgressState): ProgressState => ({ ...state, isMinimized: false })
export const hideModal = (state: ProgressState): ProgressState => ({ ...state, isVisible: false })
export const resetBulkOrder = (): ProgressState => ({ ...INITIAL_PROGRESS_STATE })
export const clearErrors = (state: ProgressState): ProgressState => ({
  ...state,
  error: null,
  statusError: null,
  retryError: null,
})

export type TrackedOrder = {
  orderId: string
  totalCount: number
  orderStatus?: BatchStatus
  processedCount?: number
  failedCount?: number
}

/** Begins to follow an order. `now` may be the moment it was submitted, when one that already runs is found after a reload. */
export function initializeOrder(
  state: ProgressState,
  order: TrackedOrder,
  now: number,
): ProgressState {
  return {
    ...clearErrors(state),
    orderId: order.orderId,
    totalCount: order.totalCount,
    orderStatus: order.orderStatus ?? 'processing',
    processedCount: order.processedCount ?? 0,
    failedCount: order.failedCount ?? 0,
    fileData: null,
    isRetrying: false,
    startTime: now,
    elapsedTime: 0,
    isVisible: true,
    isMinimized: false,
    expectedAt: null,
    waitingFor: null,
  }
}

export type ProgressUpdate = {
  processedCount?: unknown
  failedCount?: unknown
  totalCount?: unknown
  status?: BatchStatus | null
  fileData?: BatchFileNames | null
  expectedAt?: string
  waitingFor?: string
}

/**
 * Takes over the counts that are numbers, and status and files when they are given; all else stays. What is expected or waited for
 * holds until the next update.
 */
export function updateProgress(state: ProgressState, update: ProgressUpdate): ProgressState {
  const count = (value: unknown, old: number) =>
    typeof value === 'number' && Number.isFinite(value) ? value : old
  return {
    ...state,
    processedCount: count(update.processedCount, state.processedCount),
    failedCount: count(update.failedCount, state.failedCount),
    totalCount: count(update.totalCount, state.totalCount),
    orderStatus: update.status ?? state.orderStatus,
    fileData: update.fileData ?? state.fileData,
    expectedAt: update.expectedAt === undefined ? null : Date.parse(update.expectedAt),
    waitingFor: update.waitingFor ?? null,
  }
}

/** The clock of the overlay, once a second. Gives back the same state when the shown second is the same. */
export function updateElapsedTime(state: ProgressState, now: number): ProgressState {
  if (state.startTime === null || !isClockRunning(state)) return state
  const elapsedTime = Math.max(0, Math.floor((now - state.startTime) / 1000))
  return elapsedTime === state.elapsedTime ? state : { ...state, elapsedTime }
}

/** Whether any file of the order exists. */
export const hasFiles = (state: ProgressState): boolean =>
  Boolean(
    state.fileData?.pdfName || state.fileData?.resultCSVName || state.fileData?.autoConfirmCSVName,
  )
export const allProcessed = (state: ProgressState): boolean =>
  state.totalCount > 0 && state.processedCount >= state.totalCount
export const isRetryRunning = (state: ProgressState): boolean =>
  state.isRetrying || state.orderStatus === 'retrying_failed'
/** A failed retry is no failed order: its labels are bought and its files stand, so `retryError` does not count here. */
export const hasError = (state: ProgressState): boolean =>
  state.error !== null || state.statusError !== null
export const hasFailed = (state: ProgressState): boolean =>
  state.error !== null || statusTone(state.orderStatus) === 'red'

/** Stops for good when the order is over: with its files, or with the failure that leaves none. */
export const isClockRunning = (state: ProgressState): boolean => {
  if (isRetryRunning(state)) return true
  if (hasFailed(state)) return false
  const bought = state.orderStatus === 'completed' || state.orderStatus === 'completed_with_errors'
  return !(bought && hasFiles(state))
}

/** Whether the status is asked for each second. */
export const shouldPoll = (state: ProgressState): boolean =>
  state.isVisible
  && state.orderId !== null
  && !isTerminal(state.orderStatus)
  && state.error === null

/** Texts that carry the server's reason. */
export const initialErrorText = (reason: string): string => `Initial Processing Error: ${reason}`
export const statusErrorText = (reason: string): string => `Status Update Error: ${reason}`
export const RETRY_FAILED_TEXT = 'An error occurred during the retry attempt.'

export type RetryResult = {
  fileData: BatchFileNames | null
  finalProcessedCount: number
  finalFailedCount: number
  status: BatchStatus
  updatedTotalCount: number
  newlySuccessfulCount: number
}

/** What a partial retry says; null when nothing failed again or the retry still runs. */
export const retryText = (outcome: RetryResult): string | null =>
  outcome.status === 'completed_with_errors' && outcome.finalFailedCount > 0
    ? `${outcome.newlySuccessfulCount} labels recovered. ${outcome.finalFailedCount} still failed.`
    : null

/** The button was pressed: earlier errors are gone, the rest stays until the answer. */
export const startRetry = (state: ProgressState): ProgressState => ({
  ...clearErrors(state),
  isRetrying: true,
})

/** The answer of a retry. A partial one leaves its sentence where the next look finds it. */
export function finishRetry(state: ProgressState, outcome: RetryResult): ProgressState {
  return {
    ...updateProgress(state, {
      processedCount: outcome.finalProcessedCount,
      failedCount: outcome.finalFailedCount,
      totalCount: outcome.updatedTotalCount,
      status: outcome.status,
      fileData: outcome.fileData,
    }),
    isRetrying: false,
    retryError: retryText(outcome),
  }
}

/** The retry was refused or never answered; the server's reason is shown when there is one. */
export const failRetry = (state: ProgressState, reason?: string | null): ProgressState => ({
  ...state,
  isRetrying: false,
  retryError: reason || RETRY_FAILED_TEXT,
})
