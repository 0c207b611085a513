import * as calls from '#contract/easypost-scan-forms.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Router } from '#server/platform/http/router.ts'
import { batchObject } from './batch-wire.ts'
import { getBatch, membersOf } from './batches.ts'
import { batchContext } from './context.ts'
import type { EasypostContext } from './context.ts'
import { selectIdPage } from './pages-store.ts'
import { pageRequestOf } from './paging.ts'
import { boughtOf, createScanForm, getScanForm, makeOne, scanFormWires } from './scan-forms.ts'

export function registerScanFormRoutes(router: Router, ctx: EasypostContext): void {
  const { db } = ctx.database
  const wire = async (id: number) => (await scanFormWires(ctx, [id]))[0]!

  router.handle(calls.easypostCreateScanForm, async ({ body, caller }) => {
    const given = body?.scan_form?.shipments ?? body?.shipments ?? []
    const ids = given.map(({ id }) => id ?? '')
    return wire((await createScanForm(ctx, caller, ids)).id)
  })

  router.handle(calls.easypostScanForms, async ({ query, caller }) => {
    const { userId } = caller
    const request = await pageRequestOf('sf', db, userId, query)
    const { ids, hasMore } = await selectIdPage(db, 'scan_form', userId, request)
    return { scan_forms: await scanFormWires(ctx, ids), has_more: hasMore }
  })

  router.handle(calls.easypostScanForm, async ({ params, caller }) =>
    wire((await getScanForm(ctx, caller.userId, params.id)).id),
  )

  router.handle(calls.easypostBatchScanForm, async ({ params, caller }) => {
    const batch = await getBatch(db, caller.userId, params.id)
    const members = await membersOf(db, batch)
    const bought = boughtOf(members)
    if (bought.length === 0)
      throw new Refusal(
        'scan_form_refused',
        'This batch has no label that can be put on a SCAN form',
      )
    const form = await wire((await makeOne(ctx, caller, bought)).id)
    return batchObject(batchContext(ctx), batch, members, {
      scanForm: { ...form, batch_id: params.id },
    })
  })
}
