/** How the list and the overlay show a bulk order: tone, status, name, date, shares. Pure. */
import type { BatchStatus } from '#contract/batch-status.ts'
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

type BatchCounts = {
  status: BatchStatus
  processedCount: number
  failedCount: number
  totalCount: number
}

/**
 * Labels that were bought, voided ones included. While labels are retried they count as failed but
 * not as processed; at all other times `processedCount` is bought plus failed.
 */
export const boughtCount = ({
  status,
  processedCount,
  failedCount,
  totalCount,
}: BatchCounts): number =>
  Math.max(0, (status === 'retrying_failed' ? totalCount : processedCount) - failedCount)

export type BatchShares = { bought: number; failed: number; voided: number; open: number }

/** The shares of a bulk order's labels; they add up to the total. `bought`: without voided ones. */
export function batchShares(batch: BatchCounts & { voidedCount: number }): BatchShares {
  const failed = Math.min(batch.failedCount, batch.totalCount)
  const bought = Math.min(boughtCount(batch), batch.totalCount - failed)
  const voided = Math.min(batch.voidedCount, bought)
  return { bought: bought - voided, failed, voided, open: batch.totalCount - failed - bought }
}

/**
 * '57 bought, 2 voided'; empty where all labels were bought, or none is settled yet. The status tells
 * how many failed.
 */
export function sharesText({ bought, failed, voided, open }: BatchShares): string {
  if (failed + voided === 0 && (open === 0 || bought === 0)) return ''
  const t = texts.list.shares
  return [t.bought(numberText(bought)), voided > 0 && t.voided(numberText(voided))]
    .filter(Boolean)
    .join(', ')
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
