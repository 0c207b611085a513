import type { BatchProgress } from '#contract/batches.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { RoomKind } from '#server/platform/realtime/live-updates.ts'
import { batchEtaFor } from './eta.ts'
import { findCountedBatch } from './service.ts'
import { BATCH_PROGRESS_CHANNEL, findBatch } from './store.ts'
import { progressWire } from './wire.ts'

/** Rooms for the progress of bulk orders; event and room names are part of the API. */
export function batchRooms(ctx: LabelContext): RoomKind<BatchProgress> {
  const read = async (batchId: number): Promise<BatchProgress | null> => {
    const progress = await findCountedBatch(ctx.database.db, batchId)
    return progress && progressWire(progress, await batchEtaFor(ctx, progress))
  }
  return {
    prefix: 'order_',
    joinEvent: 'joinOrderRoom',
    updateEvent: 'orderProgress',
    channel: BATCH_PROGRESS_CHANNEL,
    /** From `init` on: then the first update comes with the submission. */
    async mayJoin(caller, batchId) {
      const batch = await findBatch(ctx.database.db, batchId)
      return batch !== undefined && (batch.userId === caller.userId || caller.role === 'admin')
    },
    read,
    faults: {
      badName: { code: 'malformed', text: 'A room is named order_ and the id of a bulk order' },
      notFound: { code: 'batch_unknown', text: 'There is no such order' },
    },
  }
}
