import { sweepUnusedBatches } from '#server/batches/submit.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { deleteOldOrderRequests } from '#server/orders/service.ts'
import { isDatabaseUnavailable } from '#server/platform/http/error-handler.ts'

const SWEEP_MS = 60 * 60_000
/** One transaction. */
const CHUNK_ROWS = 500

/** Deletes ids of bulk orders and idempotency keys whose time is over, at the start and every hour. */
export function startSweeps(ctx: LabelContext): { stop(): Promise<void> } {
  let isStopped = false
  const drain = async (sweepChunk: () => Promise<number>): Promise<void> => {
    while (!isStopped && (await sweepChunk()) === CHUNK_ROWS);
  }
  async function sweep(): Promise<void> {
    try {
      await drain(() => sweepUnusedBatches(ctx, CHUNK_ROWS))
      await drain(() => ctx.database.tx(tx => deleteOldOrderRequests(tx, CHUNK_ROWS)))
    } catch (error) {
      if (!isDatabaseUnavailable(error))
        ctx.log.error({ err: error }, 'rows whose time is over could not be deleted')
    }
  }
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
