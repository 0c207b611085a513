import type { VoidStatus } from '#contract/orders.ts'
import { insertAuditEntries } from '#server/accounts/audit-store.ts'
import { keyDetail } from '#server/accounts/audit.ts'
import { isUnfinished } from '#server/batches/rules.ts'
import { getBatchFor } from '#server/batches/service.ts'
import { namesOfCarrierAccounts } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { actorIdOf } from '#server/platform/http/router.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { claimVoidsOfAll, settleUntilDone } from './settle.ts'
import { countVoids, countVoidStatuses, requestVoids, selectUnusedInBatch } from './store.ts'
import type { BatchVoids } from './store.ts'

const CARRIER_PATIENCE_MS = 5_000
/** More than a carrier decides in that time. */
const MAX_AWAITED = 1_000

/** Throws Refusal 404. */
export async function getBatchVoids(
  ctx: LabelContext,
  caller: Caller,
  batchId: number,
): Promise<BatchVoids> {
  const { id } = await getBatchFor(ctx, caller, batchId)
  return countVoids(ctx.database.db, namesOfCarrierAccounts(ctx), id)
}

/** `skipped`: parcels on their way. */
export type BatchVoidResult = Record<VoidStatus, number> & { skipped: number }

/** Throws Refusal: 404, 409 while the bulk order is being processed. */
export async function voidBatchLabels(
  ctx: LabelContext,
  caller: Caller,
  batchId: number,
): Promise<BatchVoidResult> {
  const batch = await getBatchFor(ctx, caller, batchId)
  if (isUnfinished(batch.status!)) {
    throw new Refusal(
      'batch_processing',
      'This bulk order is still being processed. You can void its labels when it has finished.',
    )
  }
  const voided = await voidUnusedInBatch(ctx, caller, batch)
  return {
    ...voided,
    skipped: (await countVoids(ctx.database.db, namesOfCarrierAccounts(ctx), batchId)).underWay,
  }
}

/**
 * Waits a few seconds for the carrier; the worker settles the rest. A second click finds nothing to
 * request.
 */
async function voidUnusedInBatch(
  ctx: LabelContext,
  caller: Caller,
  batch: { id: number; userId: number },
): Promise<Record<VoidStatus, number>> {
  const actorId = actorIdOf(caller)
  const accounts = namesOfCarrierAccounts(ctx)
  const { ids, awaited, claimed } = await ctx.database.tx(async tx => {
    const unused = await selectUnusedInBatch(tx, accounts, batch.id)
    const requested = await requestVoids(tx, accounts, unused, { actorId })
    const ids = requested.map(({ id }) => id)
    if (ids.length > 0) {
      const detail = { batchId: batch.id, labels: ids.length, ...keyDetail(caller) }
      await insertAuditEntries(tx, [
        { actorId, subjectId: batch.userId, action: 'void-requested', detail },
      ])
    }
    const awaited = ids.slice(0, MAX_AWAITED)
    return { ids, awaited, claimed: await claimVoidsOfAll(tx, ctx, awaited) }
  })
  await settleUntilDone(ctx, awaited, CARRIER_PATIENCE_MS, claimed)
  return countVoidStatuses(ctx.database.db, ids)
}
