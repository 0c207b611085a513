/** How the list and the overlay show a bulk order: tone, status, name, date, shares. Pure. */
import { boughtCount, isTerminal } from '#contract/batch-status.ts'
import type { BatchCounts, BatchStatus } from '#contract/batch-status.ts'
import { numberText } from '#contract/format.ts'
import { NO_DATE, parseInstant, timeText } from '#web/ui/date-text.ts'
import type { Instant } from '#web/ui/date-text.ts'
import type { Tone } from '#web/ui/tone.ts'
import { texts } from './texts.ts'

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

/** The tint of a row: what is done needs no attention. */
export const rowTone = (status: BatchStatus): StatusTone | undefined =>
  status === 'completed' ? undefined : statusTone(status)

/** 'Completed with errors (3 Failed)'. */
export function statusText(status: BatchStatus, failedCount: number): string {
  const words = status.replaceAll('_', ' ')
  const text = words.charAt(0).toUpperCase() + words.slice(1)
  return failedCount > 0 ? `${text} (${failedCount} Failed)` : text
}

/** Whether the status and the count alone allow 'Retry Failed'. */
export const canRetry = (batch: { status: BatchStatus; failedCount: number }): boolean =>
  batch.status === 'completed_with_errors' && batch.failedCount > 0

/** So small a share of failed labels does not stand out in the list. */
const FEW_FAILED = 0.05

/** Whether an order ended with few failed labels. */
export const hasFewFailures = (batch: {
  status: BatchStatus
  failedCount: number
  totalCount: number
}): boolean =>
  batch.status === 'completed_with_errors' && batch.failedCount < FEW_FAILED * batch.totalCount

export type BatchShares = { bought: number; failed: number; voided: number; open: number }

/** The shares of a bulk order's labels; they add up to the total. `bought`: without voided ones. */
export function batchShares(batch: BatchCounts & { voidedCount: number }): BatchShares {
  const failed = Math.min(batch.failedCount, batch.totalCount)
  const bought = Math.min(boughtCount(batch), batch.totalCount - failed)
  const voided = Math.min(batch.voidedCount, bought)
  return { bought: bought - voided, failed, voided, open: batch.totalCount - failed - bought }
}

/**
 * '59 of 60 bought, 2 voided', or '60 labels' where all were bought; while the order runs '40 of 60
 * labels: 37 bought'. The status tells how many failed.
 */
export function countsText(batch: BatchCounts & { voidedCount: number }): string {
  const { status, processedCount, totalCount } = batch
  const t = texts.list
  const { bought, failed, voided, open } = batchShares(batch)
  const total = numberText(totalCount)
  const boughtText = numberText(bought + voided)
  const withVoided = (text: string) =>
    voided > 0 ? `${text}, ${t.shares.voided(numberText(voided))}` : text
  if (isTerminal(status))
    return withVoided(
      failed + open > 0 ? t.shares.boughtOf(boughtText, total) : t.labels(totalCount, total),
    )
  const counts = t.counts(numberText(processedCount), total)
  return failed > 0 || (open > 0 && bought > 0)
    ? t.countsAndShares(counts, withVoided(t.shares.bought(boughtText)))
    : counts
}

/** 'orders.txt · #5', or 'Bulk order #5' without a file. */
export const batchName = ({ _id, fileName }: { _id: string; fileName: string | null }): string =>
  fileName ? `${fileName} ${texts.list.number(_id)}` : texts.list.noFileName(_id)

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
