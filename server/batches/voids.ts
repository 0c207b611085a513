import { carrierAccountNames } from '#server/carriers/service.ts'
import { countVoids } from '#server/orders/void-store.ts'
import type { BatchVoids } from '#server/orders/void-store.ts'
import { voidUnusedInBatch } from '#server/orders/voids.ts'
import type { VoidCounts } from '#server/orders/voids.ts'
import type { Caller } from '#server/platform/http.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { WithBatches } from './close.ts'
import { isUnfinished } from './rules.ts'
import { getBatchFor } from './service.ts'

/** What of a bulk order can be voided, and how far those voids are that were asked for. Throws Refusal 'not_found'. */
export async function getBatchVoids(
  ctx: WithBatches,
  caller: Caller,
  batchId: number,
): Promise<BatchVoids> {
  const { id } = await getBatchFor(ctx, caller, batchId)
  return countVoids(ctx.database.db, carrierAccountNames(ctx), id)
}

/** `skipped`: parcels under way, whose labels are used. */
export type BatchVoidResult = VoidCounts & { skipped: number }

/** Voids all labels of a bulk order that nobody has used. Throws Refusal: 'not_found', 'conflict' while it is at work. */
export async function voidBatchLabels(
  ctx: WithBatches,
  caller: Caller,
  batchId: number,
): Promise<BatchVoidResult> {
  const batch = await getBatchFor(ctx, caller, batchId)
  if (isUnfinished(batch.status!)) {
    throw new Refusal(
      'conflict',
      'This bulk order is still being processed. Its labels can be voided when it has ended.',
    )
  }
  const voided = await voidUnusedInBatch(ctx, caller, batch)
  return {
    ...voided,
    skipped: (await countVoids(ctx.database.db, carrierAccountNames(ctx), batchId)).underWay,
  }
}
