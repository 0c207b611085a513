import { isTerminal } from '#contract/batch-status.ts'
import type { Batch } from '#contract/batches.ts'
import { canRetry } from './batch-view.ts'
import { maximize, resumeOrder, showModal, useProgress } from './progress/progress-store.ts'

/**
 * How many failed labels may be bought again or edited, and whether 'Retry Failed' is offered (specification, 2 and 4). None
 * while the order is at work: what failed in it may still be settled.
 */
export function retryableLabels(batch: Batch): { count: number; canRetry: boolean } {
  // The list names the first thousand failed labels only, so those that may not be retried are taken off the whole.
  const notRetryable = batch.failedLabels.filter(({ retryable }) => !retryable).length
  const hasRetryable = isTerminal(batch.status) && notRetryable < batch.failedLabels.length
  const count = hasRetryable ? batch.failedCount - notRetryable : 0
  return { count, canRetry: count > 0 && canRetry(batch) }
}

/** Shows an order of the list in the overlay. The one that is there already only grows; its clock goes on. */
export function followBatch(batch: Batch): void {
  const { orderId, isVisible } = useProgress.getState()
  if (orderId === batch._id) return isVisible ? maximize() : showModal()
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
  // The clock of an order at work began with it; a retry of one that had ended begins now.
  const startTime = isTerminal(status) ? Date.now() : Date.parse(createdAt)
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
