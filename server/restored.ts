/** What a start does first when its database was put back from a backup: nothing is bought before the carrier was asked. */
import { counted } from '#contract/format.ts'
import { takeUpBatches } from './batches/restored-store.ts'
import {
  distrustOpenLabels,
  hurryVoids,
  listBought,
  skipOrderNumbers,
} from './orders/restored-store.ts'
import { makeAllDue } from './payments/store.ts'
import type { Database } from './platform/database.ts'
import { settleRestore } from './platform/restored.ts'

/**
 * Call it after the migrations and before anything works. Labels that the backup has as not bought are looked up at the carrier
 * first, voids are asked for again, and all invoices are looked at: what they are owed is credited under the same keys as ever, so
 * exactly once. Bought labels are asked about while the house works: some may have been voided since. Returns a sentence for the
 * operator; null when nothing was restored since the last start.
 */
export async function afterRestore(database: Database): Promise<string | null> {
  const done = await settleRestore(database, async tx => {
    const labels = await distrustOpenLabels(tx)
    const voids = await hurryVoids(tx)
    const bought = await listBought(tx)
    const invoices = await makeAllDue(tx)
    await skipOrderNumbers(tx)
    await takeUpBatches(tx)
    return { labels, voids, bought, invoices }
  })
  if (done === null) return null
  return (
    'This database was restored from a backup. The carrier is asked about '
    + `${counted(done.labels, 'open label')} and ${counted(done.voids, 'void')} before anything is bought, and the payment service about `
    + `${counted(done.invoices, 'invoice')}.`
    + (done.bought === 0
      ? ''
      : ` While it works it asks about ${counted(done.bought, 'bought label')}: what was voided since is paid back.`)
  )
}
