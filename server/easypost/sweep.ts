import type { Context } from '#server/platform/context.ts'
import { deleteEmptyBatches } from './batch-store.ts'
import { deleteOldDrafts } from './shipment-store.ts'
import { deleteUnused } from './store.ts'

export { deleteAllOf as deleteEasypostDataOf } from './store.ts'

/** One transaction. */
const CHUNK_ROWS = 500

/** Drafts never bought, batches without shipments, addresses and parcels not used for long. */
export async function sweepUnused(ctx: Context, isStopped = () => false): Promise<void> {
  for (const sweepChunk of [deleteOldDrafts, deleteEmptyBatches, deleteUnused])
    while (
      !isStopped()
      && (await ctx.database.tx(tx => sweepChunk(tx, CHUNK_ROWS))) === CHUNK_ROWS
    );
}
