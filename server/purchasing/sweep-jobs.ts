import { sweepUnusedBatches } from '#server/batches/submit.ts'
import { collectLeftBehind } from '#server/ledger/left-behind.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { deleteOldOrderRequests } from '#server/orders/service.ts'
import { isDatabaseUnavailable } from '#server/platform/database/faults.ts'

const SWEEP_MS = 60 * 60_000
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
export function startSweeps(ctx: LabelContext): { stop(): Promise<void> } {
  let isStopped = false
  const sweep = (): Promise<void> =>
    sweepExpired(ctx, () => isStopped).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error))
        ctx.log.error(
          { err: error },
          'rows whose time is over are not deleted, or charges that wait not collected',
        )
    })
  let sweeping = sweep()
  const timer = setInterval(() => (sweeping = sweeping.then(sweep)), SWEEP_MS)
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await sweeping
    },
  }
}
