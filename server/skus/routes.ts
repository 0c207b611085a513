import { addSkus, deleteSku, listSkus, updateSku } from '#contract/skus.ts'
import type { Context } from '#server/platform/context.ts'
import type { Router } from '#server/platform/http/router.ts'
import { addSkuRecords, changeSkuRecord, removeSkuRecord, skusOf } from './service.ts'
import type { Sku } from './store.ts'

export function registerSkuRoutes(router: Router, ctx: Context): void {
  router.handle(listSkus, async ({ params }) => ({
    SkuData: (await skusOf(ctx.database.db, Number(params.userId))).map(skuWire),
  }))

  router.handle(addSkus, async ({ params, body }) => {
    const skus = await addSkuRecords(ctx, Number(params.userId), body.parsedData)
    const message =
      body.parsedData.length === 1 ? 'New SKU Data Added' : 'CSV Uploaded Successfully'
    return { ok: true, message, SkuData: skus.map(skuWire) }
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
