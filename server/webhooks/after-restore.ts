import type { Tx } from '#server/platform/database/database.ts'
import { discardMessages } from '#server/platform/outbox/outbox.ts'
import { cancelAllWaiting } from './delivery-store.ts'
import { resetEndpoints } from './endpoint-store.ts'

/**
 * What waited in the backup was most likely sent since. It is canceled, and can be replayed from the
 * list of deliveries. Returns the number of canceled messages.
 */
export async function cancelWebhooksAfterRestore(tx: Tx): Promise<number> {
  const discarded = await discardMessages(tx)
  const canceled = await cancelAllWaiting(tx)
  await resetEndpoints(tx)
  return discarded + canceled
}
