/**
 * The life of a bulk order as a customer sees it (specification, 4): statuses, what the overlay says in each of them, and the
 * operations of the client's progress state. Pure: the time is always handed in, in ms since the epoch.
 */

export const BATCH_STATUSES = [
  'processing',
  'generating_files',
  'retrying_failed',
  'completed',
  'completed_with_errors',
  'failed',
  'processing_error',
  'retry_processing_error',
] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]

export type StatusTone = 'blue' | 'green' | 'yellow' | 'red'

/** `ended`: nothing more will come, so polling and live updates stop (specification, 4; architecture, 5). */
const STATUS_INFO: Record<BatchStatus, { tone: StatusTone; ended: boolean }> = {
  processing: { tone: 'blue', ended: false },
  generating_files: { tone: 'blue', ended: false },
  retrying_failed: { tone: 'blue', ended: false },
  completed: { tone: 'green', ended: true },
  completed_with_errors: { tone: 'yellow', ended: true },
  failed: { tone: 'red', ended: true },
  processing_error: { tone: 'red', ended: true },
  retry_processing_error: { tone: 'red', ended: true },
}

export const isTerminal = (status: BatchStatus): boolean => STATUS_INFO[status].ended

/** Colour of a status in the list of bulk orders. */
export const statusTone = (status: BatchStatus): StatusTone => STATUS_INFO[status].tone

/** 'Completed with errors (3 Failed)': underscores as spaces, capitalised, with the failed ones when there are any. */
export function statusText(status: BatchStatus, failedCount: number): string {
  const words = status.replaceAll('_', ' ')
  const text = words.charAt(0).toUpperCase() + words.slice(1)
  return failedCount > 0 ? `${text} (${failedCount} Failed)` : text
}

/** Asked by the server before it retries and by the buttons before they show. */
export const canRetry = (batch: { status: BatchStatus; failedCount: number }): boolean =>
  batch.status === 'completed_with_errors' && batch.failedCount > 0

export type BatchFiles = {
  pdfName: string | null
  resultCSVName: string | null
  autoConfirmCSVName: string | null
}

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
  fileData: BatchFiles | null
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
  fileData?: BatchFiles | null
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

const hasFiles = (state: ProgressState): boolean =>
  Boolean(
    state.fileData?.pdfName || state.fileData?.resultCSVName || state.fileData?.autoConfirmCSVName,
  )
const allProcessed = (state: ProgressState): boolean =>
  state.totalCount > 0 && state.processedCount >= state.totalCount
const isRetryRunning = (state: ProgressState): boolean =>
  state.isRetrying || state.orderStatus === 'retrying_failed'
/** A failed retry is no failed order: its labels are bought and its files stand, so `retryError` does not count here. */
const hasError = (state: ProgressState): boolean =>
  state.error !== null || state.statusError !== null
const hasFailed = (state: ProgressState): boolean =>
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

export type ProgressMessage = { tone: 'yellow' | 'red'; text: string }

/** All that the overlay shows, decided. `closeTooltip` and `retryText` are null where there is nothing to say. */
export type OverlayView = {
  title: string
  percentage: number
  tone: StatusTone
  clockRunning: boolean
  canClose: boolean
  closeTooltip: string | null
  canRetry: boolean
  retryText: string | null
  messages: ProgressMessage[]
  /** How long it still takes, or what it waits for; null where there is nothing to say. */
  eta: string | null
}

export function overlayViewFor(state: ProgressState): OverlayView {
  const retrying = isRetryRunning(state)
  const canClose = (isTerminal(state.orderStatus) || hasError(state)) && !retrying
  const offered =
    !retrying && canRetry({ status: state.orderStatus, failedCount: state.failedCount })
  return {
    title: overlayTitle(state),
    percentage: overlayPercentage(state),
    tone:
      hasError(state) || hasFailed(state)
        ? 'red'
        : retrying
          ? 'blue'
          : statusTone(state.orderStatus),
    clockRunning: isClockRunning(state),
    canClose,
    closeTooltip: canClose ? null : 'Please wait for processing to complete',
    canRetry: offered,
    retryText: retrying
      ? 'Retrying...'
      : offered
        ? `Retry ${state.failedCount} Failed Label(s)`
        : null,
    messages: overlayMessages(state),
    eta: etaText(state),
  }
}

const MINUTE_MS = 60_000

/** By the overlay's own clock, so that it goes on while nothing new is heard. */
function etaText(state: ProgressState): string | null {
  if (isTerminal(state.orderStatus) || hasError(state) || state.startTime === null) return null
  if (state.waitingFor !== null) return state.waitingFor
  if (state.expectedAt === null) return null
  const minutes = Math.round(
    (state.expectedAt - state.startTime - state.elapsedTime * 1000) / MINUTE_MS,
  )
  if (minutes < 1) return 'Less than a minute left'
  if (minutes < 90) return `About ${minutes} minute${minutes === 1 ? '' : 's'} left`
  return `About ${Math.round(minutes / 60)} hours left`
}

function overlayTitle(state: ProgressState): string {
  if (hasFailed(state)) return 'Order Processing Failed!'
  if (state.statusError !== null) return 'Status Update Failed'
  if (isRetryRunning(state)) return `Retrying ${state.failedCount} Failed Label(s)...`
  if (state.orderStatus === 'completed_with_errors')
    return `Order Processed With ${state.failedCount} Failed Label(s)`
  if (state.orderStatus === 'completed') return 'Order Processed Successfully!'
  if (allProcessed(state))
    return hasFiles(state) ? 'Order Processed Successfully!' : 'Finalizing Order...'
  return state.orderStatus === 'generating_files' ? 'Finalizing Order...' : 'Processing Bulk Order'
}

function overlayPercentage(state: ProgressState): number {
  if (hasError(state) || hasFailed(state) || state.orderStatus === 'completed') return 100
  if (!(state.totalCount > 0)) return 0
  return Math.min(100, Math.max(0, Math.round((state.processedCount / state.totalCount) * 100)))
}

function overlayMessages(state: ProgressState): ProgressMessage[] {
  const list: ProgressMessage[] = []
  if (hasFailed(state))
    list.push({
      tone: 'red',
      text: state.error || 'An error occurred while processing your order.',
    })
  if (state.statusError !== null)
    list.push({ tone: 'red', text: state.statusError || 'Status Update Failed' })
  if (state.retryError !== null)
    list.push({ tone: 'red', text: state.retryError || RETRY_FAILED_TEXT })
  const ended = isTerminal(state.orderStatus) && !isRetryRunning(state)
  if (ended && state.failedCount > 0)
    list.push({ tone: 'yellow', text: failedLabelsText(state.failedCount) })
  return list
}

/** Texts of the error catalogue (specification, 8). */
export const failedLabelsText = (failed: number): string =>
  `${failed} label(s) failed to process. Please check the error logs.`
export const initialErrorText = (reason: string): string => `Initial Processing Error: ${reason}`
export const statusErrorText = (reason: string): string => `Status Update Error: ${reason}`
export const RETRY_FAILED_TEXT = 'An error occurred during the retry attempt.'

export type RetryResult = {
  fileData: BatchFiles | null
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
