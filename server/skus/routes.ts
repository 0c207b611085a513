import { addSkus, deleteSku, listSkus, updateSku } from '#contract/skus.ts'
import type { Context } from '#server/platform/context.ts'
import { pagesOf } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { Router } from '#server/platform/http/router.ts'
import { addSkuRecords, changeSkuRecord, removeSkuRecord, skuIdsOf, skusByIds } from './service.ts'
import type { Sku } from './store.ts'

export function registerSkuRoutes(router: Router, ctx: Context, answers: LongAnswers): void {
  const { db } = ctx.database

  router.handle(listSkus, async request => {
    const ids = await skuIdsOf(db, Number(request.params.userId))
    return answers.list(listSkus, request, {
      count: ids.length,
      pages: pagesOf(ids, some => skusByIds(db, some)),
      listName: 'SkuData',
      wrap: skus => ({ SkuData: skus.map(skuWire) }),
    })
  })

  router.handle(addSkus, async request => {
    const { params, body } = request
    await addSkuRecords(ctx, Number(params.userId), body.parsedData)
    const message =
      body.parsedData.length === 1 ? 'New SKU Data Added' : 'CSV Uploaded Successfully'
    const ids = await skuIdsOf(db, Number(params.userId))
    return answers.list(addSkus, request, {
      count: ids.length,
      pages: pagesOf(ids, some => skusByIds(db, some)),
      listName: 'SkuData',
      wrap: skus => ({ ok: true as const, message, SkuData: skus.map(skuWire) }),
    })
  })

  router.handle(updateSku, async ({ params, body }) => {
    const sku = await changeSkuRecord(
      ctx,
      Number(params.userId),
      Number(params.skuId),
      body.skuData,
    )
    return { ok: true, message: 'Row updated successfully!', sku: skuWire(sku) }
  })

  router.handle(deleteSku, async ({ params, caller }) => {
    await removeSkuRecord(ctx, caller, Number(params.skuId))
    return { ok: true, message: 'Row deleted successfully!', id: params.skuId }
  })
}

const skuWire = ({ id, ...record }: Sku) => ({ _id: String(id), ...record })
