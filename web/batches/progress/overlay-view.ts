/** What the overlay shows for a progress state: title, bar, messages, buttons. Pure. */
import { isTerminal } from '#contract/batch-status.ts'
import { canRetry, statusTone } from '#web/batches/batch-view.ts'
import type { StatusTone } from '#web/batches/batch-view.ts'
import {
  allProcessed,
  hasError,
  hasFailed,
  hasFiles,
  isClockRunning,
  isRetryRunning,
  RETRY_FAILED_TEXT,
} from './progress-state.ts'
import type { ProgressState } from './progress-state.ts'

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

const failedLabelsText = (failed: number): string =>
  `${failed} label(s) failed to process. Please check the error logs.`
