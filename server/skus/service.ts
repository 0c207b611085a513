/** SKU records: what a parcel with one article in it measures and weighs. They fill the rows of an uploaded file. */
import type { SkuInput } from '#contract/sku-rules.ts'
import { requireUser } from '#server/accounts/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db } from '#server/platform/database/database.ts'
import { databaseCode } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { MAX_SKUS, checkedSkuRecord, checkedSkuRecords } from './rules.ts'
import { countSkus, deleteSku, selectSkus, updateSku, upsertSkus } from './store.ts'
import type { Sku } from './store.ts'

/** All records of a user, by SKU. */
export const skusOf = (db: Db, userId: number): Promise<Sku[]> => selectSkus(db, userId)

/**
 * Adds records; a SKU that is there already is replaced. All or nothing: throws Refusal naming each wrong field of each record
 * (rules.ts, `recordsFrom`), or that there are too many. Returns all records of the user.
 */
export async function addSkuRecords(
  ctx: Context,
  userId: number,
  entries: readonly SkuInput[],
): Promise<Sku[]> {
  const records = checkedSkuRecords(entries)
  return ctx.database.tx(async tx => {
    await requireUser(tx, userId)
    await upsertSkus(tx, userId, records)
    if ((await countSkus(tx, userId)) > MAX_SKUS) {
      throw new Refusal(
        'unprocessable',
        `At most ${MAX_SKUS.toLocaleString('en-US')} SKUs can be kept. Please delete some first.`,
      )
    }
    return selectSkus(tx, userId)
  })
}

/** Changes a record. Throws Refusal: a wrong field, the SKU of another record, not found. */
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
    if (databaseCode(error) !== '23505') throw error
    const text = 'This SKU already exists'
    throw new Refusal('conflict', text, { sku: text })
  }
  throw skuNotFound()
}

/** Deletes a record of the user's own; an administrator may delete anybody's. */
export async function removeSkuRecord(
  ctx: Context,
  caller: { userId: number; role: string },
  id: number,
): Promise<void> {
  const ownerId = caller.role === 'admin' ? null : caller.userId
  if (!(await ctx.database.tx(tx => deleteSku(tx, ownerId, id)))) throw skuNotFound()
}

const skuNotFound = () => new Refusal('not_found', 'There is no such SKU')
