/** What the overlay shows for a progress state: title, bar, messages, buttons. Pure. */
import { isTerminal } from '#contract/batch-status.ts'
import { canRetry, statusTone } from '#web/batches/batch-view.ts'
import type { StatusTone } from '#web/batches/batch-view.ts'
import { texts } from '#web/batches/texts.ts'
import {
  allProcessed,
  hasError,
  hasFailed,
  hasFiles,
  isClockRunning,
  isRetryRunning,
} from './progress-state.ts'
import type { ProgressState } from './progress-state.ts'

const t = texts.overlay

export type ProgressMessage = { tone: 'yellow' | 'red'; text: string }

/** `closeTooltip`, `retryText` and `eta` are null where nothing is shown. */
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
  /** The time left, or what the order waits for. */
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
    closeTooltip: canClose ? null : t.closeDisabled,
    canRetry: offered,
    retryText: retrying ? t.retrying : offered ? t.retry(state.failedCount) : null,
    messages: overlayMessages(state),
    eta: etaText(state),
  }
}

const MINUTE_MS = 60_000

/** Uses the overlay's own clock, so the figure keeps moving between two updates. */
function etaText(state: ProgressState): string | null {
  if (isTerminal(state.orderStatus) || hasError(state) || state.startTime === null) return null
  if (state.waitingFor !== null) return state.waitingFor
  if (state.expectedAt === null) return null
  const minutes = Math.round(
    (state.expectedAt - state.startTime - state.elapsedTime * 1000) / MINUTE_MS,
  )
  return minutes < 90 ? t.minutesLeft(minutes) : t.hoursLeft(Math.round(minutes / 60))
}

function overlayTitle(state: ProgressState): string {
  const { titles } = t
  if (hasFailed(state)) return titles.failed
  if (state.statusError !== null) return titles.statusFailed
  if (isRetryRunning(state)) return titles.retrying(state.failedCount)
  if (state.orderStatus === 'completed_with_errors')
    return titles.completedWithErrors(state.failedCount)
  if (state.orderStatus === 'completed') return titles.completed
  if (allProcessed(state)) return hasFiles(state) ? titles.completed : titles.finalizing
  return state.orderStatus === 'generating_files' ? titles.finalizing : titles.processing
}

function overlayPercentage(state: ProgressState): number {
  if (hasError(state) || hasFailed(state) || state.orderStatus === 'completed') return 100
  if (!(state.totalCount > 0)) return 0
  return Math.min(100, Math.max(0, Math.round((state.processedCount / state.totalCount) * 100)))
}

function overlayMessages(state: ProgressState): ProgressMessage[] {
  const list: ProgressMessage[] = []
  if (hasFailed(state)) list.push({ tone: 'red', text: state.error || t.orderFailed })
  if (state.statusError !== null)
    list.push({ tone: 'red', text: state.statusError || t.titles.statusFailed })
  if (state.retryError !== null) list.push({ tone: 'red', text: state.retryError || t.retryFailed })
  const ended = isTerminal(state.orderStatus) && !isRetryRunning(state)
  if (ended && state.failedCount > 0)
    list.push({ tone: 'yellow', text: t.failedLabels(state.failedCount) })
  return list
}
