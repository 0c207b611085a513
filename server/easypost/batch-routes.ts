import * as calls from '#contract/easypost.ts'
import { refuseField } from '#server/platform/http/refusal.ts'
import type { Router } from '#server/platform/http/router.ts'
import { selectBatchesById, selectMembers } from './batch-store.ts'
import type { BatchRecord } from './batch-store.ts'
import { batchObject } from './batch-wire.ts'
import {
  addShipments,
  buyBatch,
  createBatch,
  getBatch,
  membersOf,
  removeShipments,
  requestLabels,
} from './batches.ts'
import { batchContext } from './context.ts'
import type { EasypostContext } from './context.ts'
import { parseId } from './ids.ts'
import { selectIdOfKey, selectIdPage } from './pages-store.ts'
import { pageRequest } from './paging.ts'
import { parseLabelFormat } from './rules.ts'
import { scanFormOfBatch } from './scan-forms.ts'

/** Of a page: each has up to 1,000 shipments. */
const MAX_BATCHES = 20

export function registerBatchRoutes(router: Router, ctx: EasypostContext): void {
  const { db } = ctx.database
  const wire = async (batch: BatchRecord) =>
    batchObject(batchContext(ctx), batch, await membersOf(db, batch))

  router.handle(calls.easypostCreateBatch, async ({ body, caller }) => {
    if (!body?.batch) throw refuseField('batch', 'required', 'Missing required parameter: batch')
    return wire(await createBatch(ctx, caller.userId, body.batch))
  })

  router.handle(calls.easypostBatches, async ({ query, caller }) => {
    const { userId } = caller
    const request = await pageRequest(query, async id => {
      const key = parseId('batch', id)
      return key === null ? null : selectIdOfKey(db, 'api_batch', userId, key)
    })
    const size = Math.min(request.size, MAX_BATCHES)
    const { ids, hasMore } = await selectIdPage(db, 'api_batch', userId, { ...request, size })
    const [batches, members] = [await selectBatchesById(db, ids), await selectMembers(db, ids)]
    return {
      batches: batches.map(batch =>
        batchObject(batchContext(ctx), batch, members.get(batch.id) ?? []),
      ),
      has_more: hasMore,
    }
  })

  router.handle(calls.easypostBatch, async ({ params, caller }) => {
    const batch = await getBatch(db, caller.userId, params.id)
    const members = await membersOf(db, batch)
    const form = await scanFormOfBatch(ctx, caller.userId, params.id, members)
    return batchObject(batchContext(ctx), batch, members, { scanForm: form })
  })

  router.handle(calls.easypostAddShipments, async ({ params, body, caller }) =>
    wire(await addShipments(ctx, caller.userId, params.id, body?.shipments)),
  )

  router.handle(calls.easypostRemoveShipments, async ({ params, body, caller }) =>
    wire(await removeShipments(ctx, caller.userId, params.id, body?.shipments)),
  )

  router.handle(calls.easypostBuyBatch, async ({ params, caller }) =>
    wire(await buyBatch(ctx, caller, params.id)),
  )

  router.handle(calls.easypostBatchLabel, async ({ params, body, caller }) => {
    const batch = await getBatch(db, caller.userId, params.id)
    const format = parseLabelFormat(body?.file_format, 'file_format', ['pdf', 'zpl']) ?? 'pdf'
    return wire(await requestLabels(ctx, caller.userId, batch, format === 'zpl' ? 'zpl' : 'pdf'))
  })
}
