import { countText } from '#contract/format.ts'
import { revokeAllKeys } from './accounts/api-keys.ts'
import { deleteAllSessions } from './accounts/sessions.ts'
import { resetBatchesAfterRestore } from './batches/service.ts'
import { dropDraftsAfterRestore } from './easypost/after-restore.ts'
import { lookUpAllScanForms } from './manifests/service.ts'
import { advanceOrderSequence } from './orders/service.ts'
import { markAllInvoicesDue } from './payments/service.ts'
import { runOnceAfterRestore } from './platform/backup/restore-state.ts'
import type { Database, Tx } from './platform/database/database.ts'
import type { Loss } from './platform/fail-over/fail-over.ts'
import { resetLabelsAfterRestore } from './purchasing/after-restore.ts'
import { requeueVoids } from './voids/service.ts'
import { cancelWebhooksAfterRestore } from './webhooks/after-restore.ts'

/** A standby that was promoted may be behind by less: sign-ins, keys and messages of programs are kept. */
const SHORT_LOSS_MS = 60_000

/**
 * Call it before anything works. One step per module: open labels are looked up before anything is bought, voids
 * are repeated, invoices are checked, SCAN forms are looked up, and drafts of /v2 deleted. After more than a short loss
 * waiting messages of webhooks are canceled, as most were sent since, and all API keys and sign-ins ended: some were ended since,
 * perhaps because they were stolen. Returns what to tell the operator.
 */
export async function restoreSteps(tx: Tx, { lostMs }: Loss): Promise<string> {
  const isShort = lostMs !== null && lostMs <= SHORT_LOSS_MS
  const { open, bought } = await resetLabelsAfterRestore(tx)
  const voids = await requeueVoids(tx)
  const invoices = await markAllInvoicesDue(tx)
  await advanceOrderSequence(tx)
  await resetBatchesAfterRestore(tx)
  if (!isShort) await cancelWebhooksAfterRestore(tx)
  await lookUpAllScanForms(tx)
  await dropDraftsAfterRestore(tx)
  const keys = isShort ? 0 : await revokeAllKeys(tx)
  if (!isShort) await deleteAllSessions(tx)
  return (
    (isShort
      ? `A standby of the database was promoted, and commits of up to ${seconds(lostMs)} may be missing.`
      : 'This database was restored from a backup.')
    + ` The carrier is asked about ${countText(open, 'open label')} and ${countText(voids, 'void')} before anything is bought,`
    + ` and the payment service about ${countText(invoices, 'invoice')}.`
    + (bought === 0
      ? ''
      : ` While Evenpost runs, it checks ${countText(bought, 'bought label')}: labels that were voided since are paid back.`)
    + (keys === 0 ? '' : ` ${countText(keys, 'API key')} ended: users make new ones.`)
    + (isShort
      ? ''
      : ' All sign-ins ended. Users who were deleted or blocked since, and roles that were taken away, are back:'
        + ' delete, block and demote them again.')
  )
}

/** Marks are written every two seconds, so that nothing shorter is known. */
const seconds = (ms: number): string => countText(Math.ceil(ms / 1_000) + 2, 'second')

/** Null if nothing was restored since the last start. */
export const afterRestore = (database: Database): Promise<string | null> =>
  runOnceAfterRestore(database, tx => restoreSteps(tx, { lostMs: null }))
