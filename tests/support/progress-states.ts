/** For tests: an order of 8 labels in every combination of status, files, counts and errors. */
import { BATCH_STATUSES } from '#contract/batch-status.ts'
import type { BatchFileNames } from '#contract/batches.ts'
import { INITIAL_PROGRESS_STATE } from '#web/batches/progress/progress-state.ts'
import type { ProgressState } from '#web/batches/progress/progress-state.ts'

const NO_NAMES: BatchFileNames = { pdfName: null, resultCSVName: null, autoConfirmCSVName: null }
const FILES = [null, NO_NAMES, { ...NO_NAMES, pdfName: 'a.pdf', resultCSVName: 'a.csv' }]
const COUNTS = [
  { processedCount: 0, failedCount: 0 },
  { processedCount: 5, failedCount: 2 },
  { processedCount: 8, failedCount: 0 },
  { processedCount: 8, failedCount: 3 },
  { processedCount: 8, failedCount: 8 },
]
const ERRORS: Partial<ProgressState>[] = [
  {},
  { error: 'Initial Processing Error: no' },
  { orderId: null, error: '' },
  { statusError: 'Status Update Error: offline' },
  { error: 'no', statusError: 'offline', retryError: 'refused' },
  { retryError: 'Insufficient balance' },
  { retryError: '2 labels recovered. 3 still failed.', recoveredCount: 2 },
]

export function* everyProgressState(): Generator<ProgressState> {
  for (const orderStatus of BATCH_STATUSES)
    for (const fileData of FILES)
      for (const counts of COUNTS)
        for (const errors of ERRORS)
          for (const isRetrying of [false, true])
            yield {
              ...INITIAL_PROGRESS_STATE,
              isVisible: true,
              orderId: '7',
              totalCount: 8,
              startTime: 0,
              orderStatus,
              fileData,
              isRetrying,
              ...counts,
              ...errors,
            }
}
