import type { WithBatches } from '#server/batches/close.ts'
import { isUnfinished } from '#server/batches/rules.ts'
import { getBatchFor } from '#server/batches/service.ts'
import { carrierAccountNames } from '#server/carriers/service.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { voidUnusedInBatch } from './service.ts'
import type { VoidCounts } from './service.ts'
import { countVoids } from './store.ts'
import type { BatchVoids } from './store.ts'

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
