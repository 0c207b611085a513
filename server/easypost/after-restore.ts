import type { Tx } from '#server/platform/database/database.ts'
import { deleteAllDrafts } from './shipment-store.ts'

/**
 * A draft of the backup may have been bought since. A program that buys it once more is told that
 * there is no such shipment, instead of getting a second label.
 */
export const dropDraftsAfterRestore = (tx: Tx): Promise<void> => deleteAllDrafts(tx)
