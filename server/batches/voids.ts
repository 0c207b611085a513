import { accountsOf } from '#server/carriers/service.ts'
import { countVoids } from '#server/orders/void-store.ts'
import type { BatchVoids } from '#server/orders/void-store.ts'
import { voidUnusedOf } from '#server/orders/voids.ts'
import type { VoidedTogether } from '#server/orders/voids.ts'
import type { Caller } from '#server/platform/http.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { WithBatches } from './close.ts'
import { isAtWork } from './rules.ts'
import { batchFor } from './service.ts'

/** What of a bulk order can be voided, and how far those voids are that were asked for. Throws Refusal 'not_found'. */
export async function voidsOf(
  house: WithBatches,
  caller: Caller,
  batchId: number,
): Promise<BatchVoids> {
  const { id } = await batchFor(house, caller, batchId)
  return countVoids(house.database.db, accountsOf(house), id)
}

/** `skipped`: parcels under way, whose labels are used. */
export type BatchVoided = VoidedTogether & { skipped: number }

/** Voids all labels of a bulk order that nobody has used. Throws Refusal: 'not_found', 'conflict' while it is at work. */
export async function voidBatch(
  house: WithBatches,
  caller: Caller,
  batchId: number,
): Promise<BatchVoided> {
  const batch = await batchFor(house, caller, batchId)
  if (isAtWork(batch.status!)) {
    throw new Refusal(
      'conflict',
      'This bulk order is still being processed. Its labels can be voided when it has ended.',
    )
  }
  const voided = await voidUnusedOf(house, caller, batch)
  return {
    ...voided,
    skipped: (await countVoids(house.database.db, accountsOf(house), batchId)).underWay,
  }
}
