/** SKU records: what a parcel with one article in it measures and weighs. They fill the rows of an uploaded file. */
import type { SkuEntry } from '#contract/sku-rules.ts'
import { keepUser } from '#server/accounts/service.ts'
import type { Db } from '#server/platform/database.ts'
import { databaseCode } from '#server/platform/database.ts'
import type { House } from '#server/platform/house.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { MOST_SKUS, recordFrom, recordsFrom } from './rules.ts'
import { countSkus, deleteSku, selectSkus, updateSku, upsertSkus } from './store.ts'
import type { Sku } from './store.ts'

/** All records of a user, by SKU. */
export const skusOf = (db: Db, userId: number): Promise<Sku[]> => selectSkus(db, userId)

/**
 * Adds records; a SKU that is there already is replaced. All or nothing: throws Refusal naming each wrong field of each record
 * (rules.ts, `recordsFrom`), or that there are too many. Returns all records of the user.
 */
export async function add(
  house: House,
  userId: number,
  entries: readonly SkuEntry[],
): Promise<Sku[]> {
  const records = recordsFrom(entries)
  return house.database.tx(async tx => {
    await keepUser(tx, userId)
    await upsertSkus(tx, userId, records)
    if ((await countSkus(tx, userId)) > MOST_SKUS) {
      throw new Refusal(
        'unprocessable',
        `At most ${MOST_SKUS.toLocaleString('en-US')} SKUs can be kept. Please delete some first.`,
      )
    }
    return selectSkus(tx, userId)
  })
}

/** Changes a record. Throws Refusal: a wrong field, the SKU of another record, not found. */
export async function change(
  house: House,
  userId: number,
  id: number,
  entry: SkuEntry,
): Promise<Sku> {
  const record = recordFrom(entry)
  try {
    const changed = await house.database.tx(tx => updateSku(tx, userId, id, record))
    if (changed) return changed
  } catch (error) {
    if (databaseCode(error) !== '23505') throw error
    const text = 'This SKU already exists'
    throw new Refusal('conflict', text, { sku: text })
  }
  throw missing()
}

/** Deletes a record of the user's own; an administrator may delete anybody's. */
export async function remove(
  house: House,
  caller: { userId: number; role: string },
  id: number,
): Promise<void> {
  const ownerId = caller.role === 'admin' ? null : caller.userId
  if (!(await house.database.tx(tx => deleteSku(tx, ownerId, id)))) throw missing()
}

const missing = () => new Refusal('not_found', 'There is no such SKU')
