import * as calls from '#contract/batches.ts'
import type { Batch, BatchProgress } from '#contract/batches.ts'
import { dollars } from '#contract/money.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { ProgressSource } from '#server/platform/realtime/live-updates.ts'
import { batchVoidRoutes } from '#server/voids/batch-routes.ts'
import type { WithBatches } from './close.ts'
import { batchEtaFor } from './eta.ts'
import type { BatchEta } from './eta.ts'
import {
  getBatchFor,
  listEditableRows,
  listFailedLabels,
  createBatch,
  getBatchesPage,
  findCountedBatch,
  retryBatch,
  findRunningBatch,
  submitBulkOrder,
} from './service.ts'
import type { BatchListItem, CountedBatch, UnboughtLabel } from './service.ts'
import type { BatchRecord } from './store.ts'

export function batchRoutes(door: Router, ctx: WithBatches): void {
  const { db } = ctx.database
  const now = async (progress: CountedBatch): Promise<BatchProgress> =>
    progressWire(progress, await batchEtaFor(ctx, progress))

  batchVoidRoutes(door, ctx)

  door.handle(calls.initBatch, async ({ caller }) => ({
    orderId: String(await createBatch(ctx, caller.userId)),
  }))

  door.handle(calls.processBatch, async ({ body, longList, caller }) => {
    const batch = await submitBulkOrder(ctx, caller.userId, {
      batchId: Number(body.orderId),
      orderData: longList,
      replaces: body.replaces ?? [],
    })
    return {
      orderId: String(batch.id),
      accepted: true,
      totalCount: batch.total,
      cost: dollars(batch.cost),
    }
  })

  door.handle(calls.batchStatus, async ({ params, query, caller }) => {
    const { id } = await getBatchFor(ctx, caller, Number(params.orderId))
    const failed = query.failedLabels === 'none' ? [] : await listFailedLabels(db, id)
    return {
      ...(await now((await findCountedBatch(db, id))!)),
      failedLabels: failed.map(failedWire),
    }
  })

  door.handle(calls.runningBatch, async ({ params }) => {
    const running = await findRunningBatch(db, Number(params.userId))
    if (!running) return { running }
    const startedAt = running.batch.acceptedAt ?? running.batch.createdAt
    return { running: { ...(await now(running)), startedAt: startedAt.toISOString() } }
  })

  door.handle(calls.listBatches, async ({ params, query, reply }) => {
    const { listed, total } = await getBatchesPage(
      db,
      Number(params.userId),
      query.page,
      query.limit,
    )
    reply.header('x-total-count', String(total))
    return listed.map(batchWire)
  })

  door.handle(calls.listFailedRows, async ({ params, caller }) => {
    const rows = await listEditableRows(ctx, caller, Number(params.orderId))
    return { rows: rows.map(row => ({ ...row, orderId: String(row.orderId) })) }
  })

  door.handle(calls.retryFailedLabels, async ({ params, caller }) => {
    const { batch, counts, recovered } = await retryBatch(ctx, caller, Number(params.orderId))
    return {
      fileData: filesWire(batch),
      finalProcessedCount: counts.processed,
      finalFailedCount: counts.failed,
      status: batch.status!,
      updatedTotalCount: batch.total,
      newlySuccessfulCount: recovered,
    }
  })
}

/** What the live line tells of a bulk order, and whom. */
export function progressSource(ctx: WithBatches): ProgressSource {
  const now = async (batchId: number): Promise<BatchProgress | null> => {
    const progress = await findCountedBatch(ctx.database.db, batchId)
    return progress && progressWire(progress, await batchEtaFor(ctx, progress))
  }
  return {
    getProgress: now,
    async progressForCaller(caller, batchId) {
      try {
        await getBatchFor(ctx, caller, batchId)
      } catch (error) {
        if (error instanceof Refusal) return null
        throw error
      }
      return now(batchId)
    },
  }
}

/** The event of the socket and the answer of the poll. */
const progressWire = ({ batch, counts }: CountedBatch, outlook: BatchEta): BatchProgress => ({
  orderId: String(batch.id),
  status: batch.status!,
  processedCount: counts.processed,
  failedCount: counts.failed,
  totalCount: batch.total,
  fileData: filesWire(batch),
  updatedAt: batch.updatedAt.toISOString(),
  ...outlook,
})

/** While a batch is at work it has no files: those of an earlier end are out of date. */
const filesWire = (batch: BatchRecord): BatchProgress['fileData'] => {
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

const failedWire = ({ itemRef, ...label }: UnboughtLabel): Batch['failedLabels'][number] => ({
  ...label,
  orderItemId: itemRef,
})

const batchWire = ({ batch, counts, failedLabels: failed, leftOut }: BatchListItem): Batch => ({
  _id: String(batch.id),
  status: batch.status!,
  createdAt: (batch.acceptedAt ?? batch.createdAt).toISOString(),
  totalCount: batch.total,
  processedCount: counts.processed,
  failedCount: counts.failed,
  failedLabels: failed.map(failedWire),
  pdfName: filesWire(batch)?.pdfName ?? null,
  resultCSVName: filesWire(batch)?.resultCSVName ?? null,
  autoConfirmCSVName: filesWire(batch)?.autoConfirmCSVName ?? null,
  autoConfirmLeftOut: leftOut,
  bulkOrderData: { cost: dollars(batch.cost) },
})
