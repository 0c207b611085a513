import { batchFailures } from '#contract/batch-failures.ts'
import * as calls from '#contract/batches.ts'
import type { Batch, BatchProgress } from '#contract/batches.ts'
import { isId } from '#contract/endpoint.ts'
import { dollars, fromDollars } from '#contract/money.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { nextWire, rangeAfter } from '#server/platform/http/list-range.ts'
import { hangUpSignal, pagesOf, ROWS_A_PAGE } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { ApiRequest, Router } from '#server/platform/http/router.ts'
import { openWorkSlots } from '#server/platform/process/work-slots.ts'
import { batchEtaFor } from './eta.ts'
import { describeFailures } from './failures.ts'
import { registerSeenRoutes } from './seen-routes.ts'
import {
  countEditableRows,
  describeBatches,
  findBatchIds,
  findBatchIdsAfter,
  findCountedBatch,
  findOutcomes,
  findRunningBatch,
  getBatchFor,
  listEditableRows,
  listFailedLabels,
  retryBatch,
} from './service.ts'
import type { BatchListItem, CountedBatch, UnboughtLabel } from './service.ts'
import { createBatch, getOwnBatch, SUBMIT_LIMITS, submitBulkOrder, tooManyRows } from './submit.ts'
import { filesWire, outcomeWire, progressWire } from './wire.ts'

export function registerBatchRoutes(router: Router, ctx: LabelContext, answers: LongAnswers): void {
  registerSubmitRoutes(router, ctx)
  registerSeenRoutes(router, ctx, answers)
  registerProgressRoutes(router, ctx, answers)
  registerListRoutes(router, ctx, answers)
}

function registerSubmitRoutes(router: Router, ctx: LabelContext): void {
  router.handle(calls.initBatch, async ({ caller }) => ({
    orderId: String(await createBatch(ctx, caller.userId)),
  }))

  const submits = openWorkSlots('bulk orders', SUBMIT_LIMITS)
  const submit = async (request: ApiRequest<typeof calls.processBatch>) => {
    const { body, longList, caller, reply } = request
    const { batch, warnings, warningCount } = await submits.run(
      caller.userId,
      hangUpSignal(reply),
      () =>
        submitBulkOrder(ctx, caller.userId, {
          batchId: Number(body.orderId),
          orderData: longList,
          replaces: body.replaces ?? [],
          file: body.file ?? null,
          allowRepeats: body.allowRepeats ?? false,
          repeats: body.repeats,
          maxCost: body.maxCost === undefined ? null : fromDollars(body.maxCost),
          key: caller.key,
        }),
    )
    return {
      orderId: String(batch.id),
      accepted: true,
      totalCount: batch.total,
      cost: dollars(batch.cost),
      ...(warningCount > 0 && { warnings, warningCount }),
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

  router.handle(calls.retryFailedLabels, async ({ params, query, caller, reply }) => {
    const { batch, counts, recovered } = await retryBatch(ctx, caller, Number(params.orderId), {
      allowRepeats: query.allowRepeats === '1',
      inTurn: work => submits.run(caller.userId, hangUpSignal(reply), work),
    })
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

function registerProgressRoutes(router: Router, ctx: LabelContext, answers: LongAnswers): void {
  const { db } = ctx.database
  const withEta = async (progress: CountedBatch): Promise<BatchProgress> =>
    progressWire(progress, await batchEtaFor(ctx, progress))

  router.handle(calls.batchStatus, async request => {
    const { params, query, caller } = request
    const { id } = await getBatchFor(ctx, caller, Number(params.orderId))
    const counted = (await findCountedBatch(db, id))!
    const outcome = (await findOutcomes(db, [counted.batch])).get(id)!
    const progress = { ...(await withEta(counted)), ...outcomeWire(counted.batch, outcome) }
    if (query.failedLabels === 'none')
      return { ...progress, failedLabels: [] as Batch['failedLabels'] }
    return answers.list(calls.batchStatus, request, {
      count: counted.counts.failed,
      pages: pagesAfter((row, limit) => listFailedLabels(db, id, row, limit)),
      listName: 'failedLabels',
      wrap: failed => ({ ...progress, failedLabels: failed.map(failedWire) }),
    })
  })

  router.handle(calls.runningBatch, async ({ params }) => {
    const running = await findRunningBatch(db, Number(params.userId))
    if (!running) return { running }
    const startedAt = running.batch.acceptedAt ?? running.batch.createdAt
    return { running: { ...(await withEta(running)), startedAt: startedAt.toISOString() } }
  })
}

function registerListRoutes(router: Router, ctx: LabelContext, answers: LongAnswers): void {
  const { db } = ctx.database

  /** The same list with `next`, which an array has no room for. */
  const pagedBatches = { ...calls.listBatches, response: calls.BatchPage }
  const listBatchesAfter = async (
    request: ApiRequest<typeof calls.listBatches>,
    { ids, total, next }: { ids: number[]; total: number; next: number | null },
  ) => {
    request.reply.header('x-total-count', String(total))
    const answer = await answers.list(pagedBatches, request, {
      count: ids.length * ROWS_OF_BATCH,
      pages: pagesOf(ids, some => describeBatches(db, some, ids.length), BATCHES_A_PAGE),
      listName: 'batches',
      wrap: listed => ({ batches: listed.map(batchWire), next: nextWire(next) }),
    })
    return 'batches' in answer ? request.reply.send(answer) : answer
  }

  router.handle(calls.listBatches, async request => {
    const { page, limit } = request.query
    const userId = Number(request.params.userId)
    const range = rangeAfter(request.caller, request.query)
    if (range) return listBatchesAfter(request, await findBatchIdsAfter(db, userId, range))
    const { ids, total } = await findBatchIds(db, userId, page, limit)
    request.reply.header('x-total-count', String(total))
    return answers.list(calls.listBatches, request, {
      count: ids.length * ROWS_OF_BATCH,
      pages: pagesOf(ids, some => describeBatches(db, some, ids.length), BATCHES_A_PAGE),
      listName: null,
      wrap: listed => listed.map(batchWire),
    })
  })

  router.handle(batchFailures, async ({ params, caller }) => {
    const { id } = await getBatchFor(ctx, caller, Number(params.orderId))
    const { released, held, ...failures } = await describeFailures(db, id)
    return { ...failures, released: dollars(released), held: dollars(held) }
  })

  router.handle(calls.listFailedRows, async request => {
    const { id } = await getBatchFor(ctx, request.caller, Number(request.params.orderId))
    return answers.list(calls.listFailedRows, request, {
      count: await countEditableRows(db, id),
      pages: pagesAfter((row, limit) => listEditableRows(db, id, row, limit)),
      listName: 'rows',
      wrap: rows => ({ rows: rows.map(row => ({ ...row, orderId: String(row.orderId) })) }),
    })
  })
}

/** A batch of a list can have hundreds of failed labels. */
const ROWS_OF_BATCH = 10
const BATCHES_A_PAGE = ROWS_A_PAGE / ROWS_OF_BATCH

/** Pages of rows; `read` gets the number of the row before. */
async function* pagesAfter<Item extends { row: number }>(
  read: (afterRow: number, limit: number) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  for (let after = 0; ;) {
    const page = await read(after, ROWS_A_PAGE)
    if (page.length > 0) yield page
    if (page.length < ROWS_A_PAGE) return
    after = page.at(-1)!.row
  }
}

const failedWire = ({
  itemRef,
  labelId,
  ...label
}: UnboughtLabel): Batch['failedLabels'][number] => ({
  ...label,
  labelId: String(labelId),
  orderItemId: itemRef,
})

const batchWire = ({
  batch,
  counts,
  outcome,
  failedLabels: failed,
  leftOut,
}: BatchListItem): Batch => ({
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
  ...outcomeWire(batch, outcome),
})
