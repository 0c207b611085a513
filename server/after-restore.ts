/** What a start does first when its database was put back from a backup: nothing is bought before the carrier was asked. */
import { countText } from '#contract/format.ts'
import { resetBatchesAfterRestore } from './batches/after-restore-store.ts'
import { markAllInvoicesDue } from './payments/store.ts'
import { runOnceAfterRestore } from './platform/backup/restore-state.ts'
import type { Database } from './platform/database/database.ts'
import {
  markOpenLabelsUnknown,
  requeueVoids,
  enqueueRestoreChecks,
  advanceOrderSequence,
} from './purchasing/after-restore-store.ts'

/**
 * Call it after the migrations and before anything works. Labels that the backup has as not bought are looked up at the carrier
 * first, voids are asked for again, and all invoices are looked at: what they are owed is credited under the same keys as ever, so
 * exactly once. Bought labels are asked about while the house works: some may have been voided since. Returns a sentence for the
 * operator; null when nothing was restored since the last start.
 */
export async function afterRestore(database: Database): Promise<string | null> {
  const done = await runOnceAfterRestore(database, async tx => {
    const labels = await markOpenLabelsUnknown(tx)
    const voids = await requeueVoids(tx)
    const bought = await enqueueRestoreChecks(tx)
    const invoices = await markAllInvoicesDue(tx)
    await advanceOrderSequence(tx)
    await resetBatchesAfterRestore(tx)
    return { labels, voids, bought, invoices }
  })
  if (done === null) return null
  return (
    'This database was restored from a backup. The carrier is asked about '
    + `${countText(done.labels, 'open label')} and ${countText(done.voids, 'void')} before anything is bought, and the payment service about `
    + `${countText(done.invoices, 'invoice')}.`
    + (done.bought === 0
      ? ''
      : ` While it works it asks about ${countText(done.bought, 'bought label')}: what was voided since is paid back.`)
  )
}
