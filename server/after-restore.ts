import { countText } from '#contract/format.ts'
import { revokeAllKeys } from './accounts/api-keys.ts'
import { resetBatchesAfterRestore } from './batches/service.ts'
import { dropDraftsAfterRestore } from './easypost/after-restore.ts'
import { lookUpAllScanForms } from './manifests/service.ts'
import { advanceOrderSequence } from './orders/service.ts'
import { markAllInvoicesDue } from './payments/service.ts'
import { runOnceAfterRestore } from './platform/backup/restore-state.ts'
import type { Database } from './platform/database/database.ts'
import { resetLabelsAfterRestore } from './purchasing/after-restore.ts'
import { requeueVoids } from './voids/service.ts'
import { cancelWebhooksAfterRestore } from './webhooks/after-restore.ts'

/**
 * Call it after the migrations and before anything works. One transaction with one step per module:
 * open labels are looked up before anything is bought, voids are repeated, invoices are checked,
 * SCAN forms are looked up, waiting messages of webhooks are canceled, drafts of /v2 deleted, and all API keys ended: some were
 * deleted since, perhaps because they were stolen. Null if nothing was restored since the last start.
 */
export async function afterRestore(database: Database): Promise<string | null> {
  const done = await runOnceAfterRestore(database, async tx => {
    const labels = await resetLabelsAfterRestore(tx)
    const voids = await requeueVoids(tx)
    const invoices = await markAllInvoicesDue(tx)
    await advanceOrderSequence(tx)
    await resetBatchesAfterRestore(tx)
    await cancelWebhooksAfterRestore(tx)
    await lookUpAllScanForms(tx)
    await dropDraftsAfterRestore(tx)
    const keys = await revokeAllKeys(tx)
    return { labels, voids, invoices, keys }
  })
  if (done === null) return null
  const { open, bought } = done.labels
  return (
    'This database was restored from a backup. The carrier is asked about '
    + `${countText(open, 'open label')} and ${countText(done.voids, 'void')} before anything is bought, and the payment service about `
    + `${countText(done.invoices, 'invoice')}.`
    + (bought === 0
      ? ''
      : ` While Evenpost runs, it checks ${countText(bought, 'bought label')}: labels that were voided since are paid back.`)
    + (done.keys === 0 ? '' : ` ${countText(done.keys, 'API key')} ended: users make new ones.`)
  )
}
