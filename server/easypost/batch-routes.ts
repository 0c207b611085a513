import * as calls from '#contract/easypost.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { SUBMIT_LIMITS } from '#server/batches/submit.ts'
import { hangUpSignal } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import { refuseField } from '#server/platform/http/refusal.ts'
import type { ApiRequest, Router } from '#server/platform/http/router.ts'
import { openWorkSlots } from '#server/platform/process/work-slots.ts'
import type { WorkSlot } from '#server/platform/process/work-slots.ts'
import { selectBatchesById, selectMembers } from './batch-store.ts'
import type { BatchRecord } from './batch-store.ts'
import { batchObject } from './batch-wire.ts'
import {
  addShipments,
  buyBatch,
  createBatch,
  findBatchPage,
  getBatch,
  membersOf,
  removeShipments,
  requestLabels,
} from './batches.ts'
import { batchContext } from './context.ts'
import type { EasypostContext } from './context.ts'
import { pageRequestOf } from './paging.ts'
import { parseLabelFormat } from './rules.ts'
import { scanFormOfBatch } from './scan-forms.ts'

/** Of a page, which also ends at MAX_MEMBERS. */
const MAX_BATCHES = 20

export function registerBatchRoutes(
  router: Router,
  ctx: EasypostContext,
  answers: LongAnswers,
): void {
  registerMembers(router, ctx)
  registerReads(router, ctx, answers)
  registerPurchases(router, ctx)
}

const wireOf = (ctx: EasypostContext) => async (batch: BatchRecord) =>
  batchObject(batchContext(ctx), batch, await membersOf(ctx.database.db, batch))

function registerMembers(router: Router, ctx: EasypostContext): void {
  const wire = wireOf(ctx)
  const slots = openWorkSlots('batches', SUBMIT_LIMITS)
  const inTurn = <T>(
    { caller, reply }: Pick<ApiRequest<Endpoint>, 'caller' | 'reply'>,
    work: (slot: WorkSlot) => Promise<T>,
  ): Promise<T> => slots.run(caller.userId, hangUpSignal(reply), work)

  router.handle(calls.easypostCreateBatch, async given => {
    const { body, caller } = given
    const input = body?.batch
    if (!input) throw refuseField('batch', 'required', 'Missing required parameter: batch')
    return inTurn(given, async slot => wire(await createBatch(ctx, caller.userId, input, slot)))
  })

  router.handle(calls.easypostAddShipments, async given => {
    const { params, body, caller } = given
    return inTurn(given, async () =>
      wire(await addShipments(ctx, caller.userId, params.id, body?.shipments)),
    )
  })

  router.handle(calls.easypostRemoveShipments, async ({ params, body, caller }) =>
    wire(await removeShipments(ctx, caller.userId, params.id, body?.shipments)),
  )
}

function registerReads(router: Router, ctx: EasypostContext, answers: LongAnswers): void {
  const { db } = ctx.database

  router.handle(calls.easypostBatches, async given => {
    const { query, caller } = given
    const { userId } = caller
    const request = await pageRequestOf('batch', db, userId, query)
    const size = Math.min(request.size, MAX_BATCHES)
    return answers.run(given, async () => {
      const { ids, hasMore } = await findBatchPage(db, userId, { ...request, size })
      const [batches, members] = [await selectBatchesById(db, ids), await selectMembers(db, ids)]
      return {
        batches: batches.map(batch =>
          batchObject(batchContext(ctx), batch, members.get(batch.id) ?? []),
        ),
        has_more: hasMore,
      }
    })
  })

  router.handle(calls.easypostBatch, async ({ params, caller }) => {
    const batch = await getBatch(db, caller.userId, params.id)
    const members = await membersOf(db, batch)
    const form = await scanFormOfBatch(ctx, caller.userId, params.id, members)
    return batchObject(batchContext(ctx), batch, members, { scanForm: form })
  })
}

function registerPurchases(router: Router, ctx: EasypostContext): void {
  const { db } = ctx.database
  const wire = wireOf(ctx)

  router.handle(calls.easypostBuyBatch, async ({ params, caller }) =>
    wire(await buyBatch(ctx, caller, params.id)),
  )

  router.handle(calls.easypostBatchLabel, async ({ params, body, caller }) => {
    const batch = await getBatch(db, caller.userId, params.id)
    const format = parseLabelFormat(body?.file_format, 'file_format', ['pdf', 'zpl']) ?? 'pdf'
    return wire(await requestLabels(ctx, caller.userId, batch, format === 'zpl' ? 'zpl' : 'pdf'))
  })
}
