import { isTerminal } from '#contract/batch-status.ts'
import type { Batch } from '#contract/batches.ts'
import { serverNow } from '#web/client/server-clock.ts'
import { canRetry } from './batch-view.ts'
import { maximize, resumeOrder, showModal, useProgress } from './progress/progress-store.ts'

/**
 * The failed labels that can be bought again or edited, and whether 'Retry Failed' is offered. None
 * while the order runs: its failures may still be settled.
 */
export function retryableLabels(batch: Batch): { count: number; canRetry: boolean } {
  // `failedLabels` lists the first 1,000 only, so the ones that can't be retried are subtracted
  // from the total.
  const notRetryable = batch.failedLabels.filter(({ retryable }) => !retryable).length
  const hasRetryable = isTerminal(batch.status) && notRetryable < batch.failedLabels.length
  const count = hasRetryable ? batch.failedCount - notRetryable : 0
  return { count, canRetry: count > 0 && canRetry(batch) }
}

/**
 * Opens an order in the overlay. If the overlay follows it already, it is only maximized, and its
 * clock goes on.
 */
export function followBatch(batch: Batch): void {
  const { orderId, orderStatus, isVisible } = useProgress.getState()
  // The order may have been bought again elsewhere since the end that is known here.
  const isOver = isTerminal(orderStatus) && !isTerminal(batch.status)
  if (orderId === batch._id && !isOver) return isVisible ? maximize() : showModal()
  const {
    _id,
    status,
    processedCount,
    failedCount,
    totalCount,
    pdfName,
    resultCSVName,
    autoConfirmCSVName,
    createdAt,
  } = batch
  const fileData = { pdfName, resultCSVName, autoConfirmCSVName }
  // The clock of a running order starts with the order; that of a retry starts now.
  const startTime = isTerminal(status) ? serverNow() : Date.parse(createdAt)
  resumeOrder(
    {
      orderId: _id,
      status,
      processedCount,
      failedCount,
      totalCount,
      fileData,
      updatedAt: createdAt,
    },
    { startTime },
  )
}
