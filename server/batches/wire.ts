import type { Batch, BatchProgress } from '#contract/batches.ts'
import { dollars } from '#contract/money.ts'
import type { BatchEta } from './eta.ts'
import type { BatchOutcome, CountedBatch } from './service.ts'
import type { BatchRecord } from './store.ts'

export const progressWire = ({ batch, counts }: CountedBatch, eta: BatchEta): BatchProgress => ({
  orderId: String(batch.id),
  status: batch.status!,
  processedCount: counts.processed,
  failedCount: counts.failed,
  totalCount: batch.total,
  fileData: filesWire(batch),
  updatedAt: batch.updatedAt.toISOString(),
  ...eta,
})

export const outcomeWire = (
  { fileName, source }: BatchRecord,
  { voided, finalCost }: BatchOutcome,
): Pick<Batch, 'fileName' | 'source' | 'voidedCount' | 'finalCost'> => ({
  fileName,
  source,
  voidedCount: voided,
  finalCost: finalCost === null ? null : dollars(finalCost),
})

/** Files of an earlier end are out of date. */
export const filesWire = (batch: BatchRecord): BatchProgress['fileData'] => {
  const ended =
    batch.status === 'completed'
    || batch.status === 'completed_with_errors'
    || batch.status === 'failed'
  return ended && batch.resultName
    ? {
        pdfName: batch.pdfName,
        resultCSVName: batch.resultName,
        autoConfirmCSVName: batch.confirmName,
      }
    : null
}
