/** How the list and the overlay show a bulk order: tone, status text, date. Pure. */
import type { BatchStatus } from '#contract/batch-status.ts'
import { NO_DATE, parseInstant, timeText } from '#web/ui/date-text.ts'
import type { Instant } from '#web/ui/date-text.ts'
import type { Tone } from '#web/ui/tone.ts'

export type StatusTone = Exclude<Tone, 'neutral'>

const TONE_BY_STATUS: Record<BatchStatus, StatusTone> = {
  processing: 'blue',
  generating_files: 'blue',
  retrying_failed: 'blue',
  completed: 'green',
  completed_with_errors: 'yellow',
  failed: 'red',
  processing_error: 'red',
  retry_processing_error: 'red',
}

export const statusTone = (status: BatchStatus): StatusTone => TONE_BY_STATUS[status]

/** 'Completed with errors (3 Failed)'. */
export function statusText(status: BatchStatus, failedCount: number): string {
  const words = status.replaceAll('_', ' ')
  const text = words.charAt(0).toUpperCase() + words.slice(1)
  return failedCount > 0 ? `${text} (${failedCount} Failed)` : text
}

/** Whether the status and the count alone allow 'Retry Failed'. */
export const canRetry = (batch: { status: BatchStatus; failedCount: number }): boolean =>
  batch.status === 'completed_with_errors' && batch.failedCount > 0

const MONTH_FIRST = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
})

/** 'Nov 20, 2026 | 11:42', in the reader's time zone. */
export function batchDateText(instant: Instant): string {
  const date = parseInstant(instant)
  return date ? `${MONTH_FIRST.format(date)} | ${timeText(date)}` : NO_DATE
}
