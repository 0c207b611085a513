import * as calls from '#contract/batches.ts'
import type { Batch, OrderProgress } from '#contract/batches.ts'
import { dollars } from '#contract/money.ts'
import type { Door } from '#server/platform/http.ts'
import type { ProgressSource } from '#server/platform/live.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { WithBatches } from './close.ts'
import { outlookOf } from './outlook.ts'
import type { Outlook } from './outlook.ts'
import {
  batchFor,
  editableRows,
  failedLabels,
  init,
  listBatches,
  progressOf,
  retryFailed,
  runningOf,
  submit,
} from './service.ts'
import type { Listed, Progress, Unbought } from './service.ts'
import type { BatchRecord } from './store.ts'
import { batchVoidRoutes } from './void-routes.ts'

export function batchRoutes(door: Door, house: WithBatches): void {
  const { db } = house.database
  const now = async (progress: Progress): Promise<OrderProgress> =>
    progressWire(progress, await outlookOf(house, progress))

  batchVoidRoutes(door, house)

  door.answer(calls.initBatch, async ({ caller }) => ({
    orderId: String(await init(house, caller.userId)),
  }))

  door.answer(calls.processBatch, async ({ body, list, caller }) => {
    const batch = await submit(house, caller.userId, {
      batchId: Number(body.orderId),
      orderData: list,
      replaces: body.replaces ?? [],
    })
    return {
      orderId: String(batch.id),
      accepted: true,
      totalCount: batch.total,
      cost: dollars(batch.cost),
    }
  })

  door.answer(calls.batchStatus, async ({ params, query, caller }) => {
    const { id } = await batchFor(house, caller, Number(params.orderId))
    const failed = query.failedLabels === 'none' ? [] : await failedLabels(db, id)
    return { ...(await now((await progressOf(db, id))!)), failedLabels: failed.map(failedWire) }
  })

  door.answer(calls.runningBatch, async ({ params }) => {
    const running = await runningOf(db, Number(params.userId))
    if (!running) return { running }
    const startedAt = running.batch.acceptedAt ?? running.batch.createdAt
    return { running: { ...(await now(running)), startedAt: startedAt.toISOString() } }
  })

  door.answer(calls.listBatches, async ({ params, query, reply }) => {
    const { listed, total } = await listBatches(db, Number(params.userId), query.page, query.limit)
    reply.header('x-total-count', String(total))
    return listed.map(batchWire)
  })

  door.answer(calls.failedRows, async ({ params, caller }) => {
    const rows = await editableRows(house, caller, Number(params.orderId))
    return { rows: rows.map(row => ({ ...row, orderId: String(row.orderId) })) }
  })

  door.answer(calls.retryFailed, async ({ params, caller }) => {
    const { batch, counts, recovered } = await retryFailed(house, caller, Number(params.orderId))
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
export function progressSource(house: WithBatches): ProgressSource {
  const now = async (batchId: number): Promise<OrderProgress | null> => {
    const progress = await progressOf(house.database.db, batchId)
    return progress && progressWire(progress, await outlookOf(house, progress))
  }
  return {
    progressOf: now,
    async mayJoin(caller, batchId) {
      try {
        await batchFor(house, caller, batchId)
      } catch (error) {
        if (error instanceof Refusal) return null
        throw error
      }
      return now(batchId)
    },
  }
}

/** The event of the socket and the answer of the poll. */
const progressWire = ({ batch, counts }: Progress, outlook: Outlook): OrderProgress => ({
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
const filesWire = (batch: BatchRecord): OrderProgress['fileData'] => {
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

const failedWire = ({ itemRef, ...label }: Unbought): Batch['failedLabels'][number] => ({
  ...label,
  orderItemId: itemRef,
})

const batchWire = ({ batch, counts, failedLabels: failed, leftOut }: Listed): Batch => ({
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
