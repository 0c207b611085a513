import { sweepUnusedBatches } from '#server/batches/submit.ts'
import { collectLeftBehind } from '#server/ledger/left-behind.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { deleteOldOrderRequests } from '#server/orders/service.ts'
import { openRepeatedJob } from '#server/platform/process/repeated-job.ts'
import type { RepeatedJob } from '#server/platform/process/repeated-job.ts'

/** One transaction. */
const CHUNK_ROWS = 500

/**
 * Deletes ids of bulk orders and idempotency keys whose time is over, and collects charges that wait
 * beside money.
 */
export async function sweepExpired(ctx: LabelContext, isStopped = () => false): Promise<void> {
  const sweeps = [
    () => sweepUnusedBatches(ctx, CHUNK_ROWS),
    () => ctx.database.tx(tx => deleteOldOrderRequests(tx, CHUNK_ROWS)),
    () => collectLeftBehind(ctx.database, CHUNK_ROWS),
  ]
  for (const sweepChunk of sweeps) while (!isStopped() && (await sweepChunk()) === CHUNK_ROWS);
}

/** At the start and every hour. */
export const sweepJob = (ctx: LabelContext): RepeatedJob =>
  openRepeatedJob(ctx, {
    pauseMs: 60 * 60_000,
    round: isStopped => sweepExpired(ctx, isStopped),
    failure: 'rows whose time is over are not deleted, or charges that wait not collected',
  })
