import * as calls from '#contract/batches.ts'
import type { Batch, BatchProgress } from '#contract/batches.ts'
import { isId } from '#contract/endpoint.ts'
import { dollars } from '#contract/money.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { ApiRequest, Router } from '#server/platform/http/router.ts'
import { batchEtaFor } from './eta.ts'
import {
  findCountedBatch,
  findRunningBatch,
  getBatchesPage,
  getBatchFor,
  listEditableRows,
  listFailedLabels,
  retryBatch,
} from './service.ts'
import type { BatchListItem, CountedBatch, UnboughtLabel } from './service.ts'
import { createBatch, getOwnBatch, submitBulkOrder, tooManyRows } from './submit.ts'
import { filesWire, progressWire } from './wire.ts'

export function registerBatchRoutes(router: Router, ctx: LabelContext): void {
  const { db } = ctx.database
  const withEta = async (progress: CountedBatch): Promise<BatchProgress> =>
    progressWire(progress, await batchEtaFor(ctx, progress))

  router.handle(calls.initBatch, async ({ caller }) => ({
    orderId: String(await createBatch(ctx, caller.userId)),
  }))

  const submit = async ({ body, longList, caller }: ApiRequest<typeof calls.processBatch>) => {
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
    } as const
  }
  router.handle(calls.processBatch, submit, {
    list: {
      maxItems: ctx.config.bulkMaxRows,
      tooManyItems: () => tooManyRows(ctx.config.bulkMaxRows),
      async beforeList({ orderId }, caller) {
        if (typeof orderId === 'string' && isId(orderId))
          await getOwnBatch(ctx, caller.userId, Number(orderId))
      },
    },
  })

  router.handle(calls.batchStatus, async ({ params, query, caller }) => {
    const { id } = await getBatchFor(ctx, caller, Number(params.orderId))
    const failed = query.failedLabels === 'none' ? [] : await listFailedLabels(db, id)
    return {
      ...(await withEta((await findCountedBatch(db, id))!)),
      failedLabels: failed.map(failedWire),
    }
  })

  router.handle(calls.runningBatch, async ({ params }) => {
    const running = await findRunningBatch(db, Number(params.userId))
    if (!running) return { running }
    const startedAt = running.batch.acceptedAt ?? running.batch.createdAt
    return { running: { ...(await withEta(running)), startedAt: startedAt.toISOString() } }
  })

  router.handle(calls.listBatches, async ({ params, query, reply }) => {
    const { listed, total } = await getBatchesPage(
      db,
      Number(params.userId),
      query.page,
      query.limit,
    )
    reply.header('x-total-count', String(total))
    return listed.map(batchWire)
  })

  router.handle(calls.listFailedRows, async ({ params, caller }) => {
    const rows = await listEditableRows(ctx, caller, Number(params.orderId))
    return { rows: rows.map(row => ({ ...row, orderId: String(row.orderId) })) }
  })

  router.handle(calls.retryFailedLabels, async ({ params, caller }) => {
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
