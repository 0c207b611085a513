/** What the overlay shows and announces for a progress state. Pure. */
import { boughtCount, isTerminal } from '#contract/batch-status.ts'
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

type ProgressMessage = { tone: 'blue' | 'yellow' | 'red'; text: string }

/** `closeTooltip`, `retryText` and `eta` are null where nothing is shown. */
export type OverlayView = {
  title: string
  /** Of the bar, which is full after a failure too. */
  percentage: number
  /** '38%'; null after a failure, and where no label was bought. */
  percentText: string | null
  tone: StatusTone
  clockRunning: boolean
  canClose: boolean
  closeTooltip: string | null
  canRetry: boolean
  retryText: string | null
  /** Whether the failed rows may be opened in the table. */
  canFix: boolean
  /** At most one is red. */
  messages: ProgressMessage[]
  /** Every label was bought. */
  isGood: boolean
  /** Labels of the PDF, where opening it is the main action; else null. */
  pdfLabels: number | null
  /** Whether the reasons of failed labels are shown, and where their money is. */
  showsFailures: boolean
  /** What a screen reader hears when it changes. */
  announcement: string
  /** The time left, or what the order waits for. */
  eta: string | null
}

export function overlayViewFor(state: ProgressState): OverlayView {
  const retrying = isRetryRunning(state)
  const canClose = (isTerminal(state.orderStatus) || hasError(state)) && !retrying
  const offered =
    !retrying && canRetry({ status: state.orderStatus, failedCount: state.failedCount })
  const title = overlayTitle(state)
  const percentage = overlayPercentage(state)
  const tone =
    hasError(state) || hasFailed(state) ? 'red' : retrying ? 'blue' : statusTone(state.orderStatus)
  const percentText =
    hasError(state) || hasFailed(state) || (canClose && isAllFailed(state))
      ? null
      : `${percentage}%`
  const bought = boughtCount({ ...state, status: state.orderStatus })
  const isGood = state.orderStatus === 'completed' && tone !== 'red' && !retrying
  return {
    title,
    percentage,
    percentText,
    tone,
    clockRunning: isClockRunning(state),
    canClose,
    closeTooltip: canClose ? null : t.closeDisabled,
    canRetry: offered,
    retryText: retrying
      ? t.retrying
      : !offered
        ? null
        : state.boughtSince
          ? t.retryRepeats
          : t.retry(state.failedCount),
    canFix: offered || (state.orderStatus === 'failed' && canClose),
    messages: overlayMessages(state),
    isGood,
    pdfLabels: canClose && tone !== 'red' && bought > 0 && state.fileData?.pdfName ? bought : null,
    showsFailures: state.orderId !== null && state.failedCount > 0 && !hasError(state),
    announcement: percentText === null || canClose ? title : `${title} ${percentText}`,
    eta: etaText(state),
  }
}

const isAllFailed = ({ failedCount, totalCount }: ProgressState): boolean =>
  totalCount > 0 && failedCount >= totalCount

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
  const { error, statusError, retryError, recoveredCount } = state
  if (hasFailed(state)) return [{ tone: 'red', text: error || t.orderFailed }]
  if (statusError !== null) return [{ tone: 'red', text: statusError || t.titles.statusFailed }]
  const list: ProgressMessage[] = []
  if (retryError !== null) {
    const tone = recoveredCount === null ? 'red' : recoveredCount > 0 ? 'blue' : 'yellow'
    list.push({ tone, text: retryError || t.retryFailed })
    if (state.boughtSince) list.push({ tone: 'yellow', text: t.boughtSince })
  }
  const ended = isTerminal(state.orderStatus) && !isRetryRunning(state)
  if (ended && state.failedCount > 0)
    list.push({ tone: 'yellow', text: t.failedLabels(state.failedCount) })
  return list
}
