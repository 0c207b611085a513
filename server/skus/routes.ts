import { addSkus, deleteSku, listSkus, MAX_ADDED_SKUS, SkuForm, updateSku } from '#contract/skus.ts'
import type { Context } from '#server/platform/context.ts'
import { cutAfter, idRange, nextWire } from '#server/platform/http/list-range.ts'
import { pagesOf } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { LongList } from '#server/platform/http/long-list.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { parseEntries } from '#server/platform/http/request-validation.ts'
import type { Router } from '#server/platform/http/router.ts'
import {
  addSkuRecords,
  changeSkuRecord,
  countSkusOf,
  removeSkuRecord,
  skuIdsOf,
  skusByIds,
} from './service.ts'
import type { Sku } from './store.ts'

export function registerSkuRoutes(router: Router, ctx: Context, answers: LongAnswers): void {
  const { db } = ctx.database
  const skuPages = async (userId: number) => ({
    count: await countSkusOf(db, userId),
    pages: pagesOf(
      () => skuIdsOf(db, userId),
      some => skusByIds(db, some),
    ),
  })

  router.handle(listSkus, async request => {
    const range = idRange(request.caller, request.query)
    if (range) {
      const all = await skuIdsOf(db, Number(request.params.userId))
      const { page, next } = cutAfter(all, range)
      return answers.list(listSkus, request, {
        count: page.length,
        pages: pagesOf(page, some => skusByIds(db, some)),
        listName: 'SkuData',
        wrap: skus => ({ SkuData: skus.map(skuWire), next: nextWire(next) }),
      })
    }
    return answers.list(listSkus, request, {
      ...(await skuPages(Number(request.params.userId))),
      listName: 'SkuData',
      wrap: skus => ({ SkuData: skus.map(skuWire) }),
    })
  })

  router.handle(
    addSkus,
    async request => {
      const { params, longList } = request
      if (longList.length === 0) {
        const text = 'must have at least 1 entry, not 0'
        throw new Refusal('request_invalid', `parsedData ${text}`, {
          fields: { parsedData: { code: 'too_few', text } },
        })
      }
      await answers.run(request, () => addSkuRecords(ctx, Number(params.userId), partsOf(longList)))
      const message = longList.length === 1 ? 'New SKU Data Added' : 'CSV Uploaded Successfully'
      return answers.list(addSkus, request, {
        ...(await skuPages(Number(params.userId))),
        listName: 'SkuData',
        wrap: skus => ({ ok: true as const, message, SkuData: skus.map(skuWire) }),
      })
    },
    { list: { maxItems: MAX_ADDED_SKUS } },
  )

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

/** Checked at once: some 5 ms. */
const PART = 250

function* partsOf(list: LongList): Generator<SkuForm[]> {
  let before = 0
  for (const page of list.pages())
    for (let from = 0; from < page.length; from += PART) {
      const part = parseEntries(SkuForm, page.slice(from, from + PART), 'parsedData', before)
      before += part.length
      yield part
    }
}

const skuWire = ({ id, ...record }: Sku) => ({ _id: String(id), ...record })
