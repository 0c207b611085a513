/**
 * The progress state of the bulk order that this browser follows, and the operations on it. Pure:
 * the time is passed in, in ms since the epoch.
 */
import { isTerminal } from '#contract/batch-status.ts'
import type { BatchStatus } from '#contract/batch-status.ts'
import type { BatchFileNames } from '#contract/batches.ts'
import { statusTone } from '#web/batches/batch-view.ts'
import { texts } from '#web/batches/texts.ts'

const t = texts.overlay

/**
 * `startTime` and `expectedAt` (the expected end) in ms since the epoch, `elapsedTime` in whole
 * seconds. `waitingFor` is the server's sentence about what the order waits for. `recoveredCount`:
 * labels that the last retry bought, if `retryError` says that others failed again. `boughtSince`: the
 * last retry was refused because failed rows have a label of a later bulk order. Nothing sets the specified `loading`.
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
  recoveredCount: number | null
  boughtSince: boolean
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
  recoveredCount: null,
  boughtSince: false,
  isRetrying: false,
  loading: false,
  startTime: null,
  elapsedTime: 0,
  expectedAt: null,
  waitingFor: null,
}

/**
 * Visible and not minimised. With an order id the id is recorded and the timer restarts. A new
 * order starts from the initial state, so the files of an earlier order are never shown for it.
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
  recoveredCount: null,
  boughtSince: false,
})

export type TrackedOrder = {
  orderId: string
  totalCount: number
  orderStatus?: BatchStatus
  processedCount?: number
  failedCount?: number
}

/**
 * Starts following an order. After a reload, `now` is the time at which the order was submitted.
 */
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
 * Applies the counts that are numbers, and status and files if given. `expectedAt` and `waitingFor`
 * hold until the next update.
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

/** Called once a second. Returns the same state while the shown second is the same. */
export function updateElapsedTime(state: ProgressState, now: number): ProgressState {
  if (state.startTime === null || !isClockRunning(state)) return state
  const elapsedTime = Math.max(0, Math.floor((now - state.startTime) / 1000))
  return elapsedTime === state.elapsedTime ? state : { ...state, elapsedTime }
}

export const hasFiles = (state: ProgressState): boolean =>
  Boolean(
    state.fileData?.pdfName || state.fileData?.resultCSVName || state.fileData?.autoConfirmCSVName,
  )
export const allProcessed = (state: ProgressState): boolean =>
  state.totalCount > 0 && state.processedCount >= state.totalCount
export const isRetryRunning = (state: ProgressState): boolean =>
  state.isRetrying || state.orderStatus === 'retrying_failed'
/** `retryError` does not count: after a failed retry the order still has its labels and files. */
export const hasError = (state: ProgressState): boolean =>
  state.error !== null || state.statusError !== null
export const hasFailed = (state: ProgressState): boolean =>
  state.error !== null || statusTone(state.orderStatus) === 'red'

/** The clock stops when the order has its files, or has failed and will get none. */
export const isClockRunning = (state: ProgressState): boolean => {
  if (isRetryRunning(state)) return true
  if (hasFailed(state)) return false
  const bought = state.orderStatus === 'completed' || state.orderStatus === 'completed_with_errors'
  return !(bought && hasFiles(state))
}

/** Whether the status is polled each second. */
export const shouldPoll = (state: ProgressState): boolean =>
  state.isVisible
  && state.orderId !== null
  && !isTerminal(state.orderStatus)
  && state.error === null

export type RetryResult = {
  fileData: BatchFileNames | null
  finalProcessedCount: number
  finalFailedCount: number
  status: BatchStatus
  updatedTotalCount: number
  newlySuccessfulCount: number
}

/** The sentence about a partial retry; null if no label failed again or the retry still runs. */
export const retryText = (result: RetryResult): string | null =>
  result.status === 'completed_with_errors' && result.finalFailedCount > 0
    ? t.partlyRecovered(result.newlySuccessfulCount, result.finalFailedCount)
    : null

/** Clears earlier errors; counts and files stay until the response. */
export const startRetry = (state: ProgressState): ProgressState => ({
  ...clearErrors(state),
  isRetrying: true,
})

/** Applies the response to a retry. The sentence about a partial retry stays in `retryError`. */
export function finishRetry(state: ProgressState, result: RetryResult): ProgressState {
  const retryError = retryText(result)
  return {
    ...updateProgress(state, {
      processedCount: result.finalProcessedCount,
      failedCount: result.finalFailedCount,
      totalCount: result.updatedTotalCount,
      status: result.status,
      fileData: result.fileData,
    }),
    isRetrying: false,
    retryError,
    recoveredCount: retryError === null ? null : result.newlySuccessfulCount,
  }
}

/** The retry was refused or got no response. `reason` is the server's, if any. */
export const failRetry = (
  state: ProgressState,
  reason?: string | null,
  boughtSince = false,
): ProgressState => ({
  ...state,
  isRetrying: false,
  retryError: reason || t.retryFailed,
  recoveredCount: null,
  boughtSince,
})
