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
