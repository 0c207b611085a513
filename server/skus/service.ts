/**
 * SKU records: weight and measures of a parcel with one article. They fill rows of an uploaded
 * file.
 */
import type { SkuInput } from '#contract/sku-rules.ts'
import { requireUser } from '#server/accounts/service.ts'
import type { Context } from '#server/platform/context.ts'
import { isUniqueViolation } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import { MAX_SKUS, SkuList, checkedSkuRecord } from './rules.ts'
import { countSkus, deleteSku, updateSku, upsertSkus } from './store.ts'
import type { Sku } from './store.ts'

export {
  deleteSkusOf,
  selectSkuIds as skuIdsOf,
  selectDescriptions as skuDescriptionsOf,
  countSkus as countSkusOf,
  selectSkuOwner as findSkuOwner,
  selectSkus as skusByIds,
} from './store.ts'

/**
 * Adds records; an existing SKU is replaced. All or nothing: throws Refusal for invalid fields
 * (`SkuList`) or too many records. Other requests run between two parts.
 */
export async function addSkuRecords(
  ctx: Context,
  userId: number,
  parts: Iterable<readonly SkuInput[]>,
): Promise<void> {
  const list = new SkuList()
  for (const part of parts) {
    list.add(part)
    await yieldToOthers()
  }
  const records = list.records()
  await ctx.database.tx(async tx => {
    await requireUser(tx, userId)
    await upsertSkus(tx, userId, records)
    if ((await countSkus(tx, userId)) > MAX_SKUS) {
      throw new Refusal(
        'book_full',
        `You can save at most ${MAX_SKUS.toLocaleString('en-US')} SKUs. Delete some first.`,
      )
    }
  })
}

/** Throws Refusal: an invalid field, the SKU of another record, not found. */
export async function changeSkuRecord(
  ctx: Context,
  userId: number,
  id: number,
  entry: SkuInput,
): Promise<Sku> {
  const record = checkedSkuRecord(entry)
  try {
    const changed = await ctx.database.tx(tx => updateSku(tx, userId, id, record))
    if (changed) return changed
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const text = 'This SKU already exists'
    throw refuseField('sku', 'sku_taken', text)
  }
  throw skuNotFound()
}

/** Users delete their own records, administrators any record. Throws Refusal 404. */
export async function removeSkuRecord(
  ctx: Context,
  caller: { userId: number; role: string },
  id: number,
): Promise<void> {
  const ownerId = caller.role === 'admin' ? null : caller.userId
  if (!(await ctx.database.tx(tx => deleteSku(tx, ownerId, id)))) throw skuNotFound()
}

const skuNotFound = () => new Refusal('sku_unknown', 'SKU not found')
