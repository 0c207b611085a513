import type { Tx } from '#server/platform/database/database.ts'
import { closeRatesOfOpen, deleteAllUnbought } from './shipment-store.ts'

/**
 * A draft of the backup may have been bought since, and so may a shipment whose order failed, or is
 * open and fails in the look-ups. A program that buys it once more is refused, instead of getting a
 * second label. An open shipment stays, so that its label is found.
 */
export async function dropDraftsAfterRestore(tx: Tx): Promise<void> {
  await deleteAllUnbought(tx)
  await closeRatesOfOpen(tx)
}
