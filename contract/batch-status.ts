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

const ENDED: ReadonlySet<BatchStatus> = new Set([
  'completed',
  'completed_with_errors',
  'failed',
  'processing_error',
  'retry_processing_error',
])

/** Nothing more will happen: polling and live updates stop. */
export const isTerminal = (status: BatchStatus): boolean => ENDED.has(status)

export type BatchCounts = {
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
