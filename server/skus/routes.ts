import { addSkus, deleteSku, listSkus, updateSku } from '#contract/skus.ts'
import type { House } from '#server/platform/house.ts'
import type { Door } from '#server/platform/http.ts'
import { add, change, remove, skusOf } from './service.ts'
import type { Sku } from './store.ts'

export function skuRoutes(door: Door, house: House): void {
  door.answer(listSkus, async ({ params }) => ({
    SkuData: (await skusOf(house.database.db, Number(params.userId))).map(skuWire),
  }))

  door.answer(addSkus, async ({ params, body }) => {
    const skus = await add(house, Number(params.userId), body.parsedData)
    const message =
      body.parsedData.length === 1 ? 'New SKU Data Added' : 'CSV Uploaded Successfully'
    return { ok: true, message, SkuData: skus.map(skuWire) }
  })

  door.answer(updateSku, async ({ params, body }) => {
    const sku = await change(house, Number(params.userId), Number(params.skuId), body.skuData)
    return { ok: true, message: 'Row updated successfully!', sku: skuWire(sku) }
  })

  door.answer(deleteSku, async ({ params, caller }) => {
    await remove(house, caller, Number(params.skuId))
    return { ok: true, message: 'Row deleted successfully!', id: params.skuId }
  })
}

const skuWire = ({ id, ...record }: Sku) => ({ _id: String(id), ...record })
