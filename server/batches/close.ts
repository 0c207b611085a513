/**
 * When no row is open, files are built, and counts and status are frozen. Each step is one
 * transaction under the lock of the batch and may be repeated. After a crash the sweep of another
 * process continues.
 */
import type { BatchStatus } from '#contract/batch-status.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { writeBatchFiles } from '#server/labels/batch-files.ts'
import {
  countPendingLabelFiles,
  requestLabelFileAgain,
  upsertFile,
} from '#server/labels/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { countStates, hasOpenRows } from '#server/orders/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { publish } from '#server/platform/outbox/outbox.ts'
import type { OutboxMessage } from '#server/platform/outbox/outbox.ts'
import { readBatchFileRows, readConfirmRows } from './batch-file-rows.ts'
import type { FilesAhead } from './files-ahead.ts'
import {
  batchFileNames,
  countsOf,
  fileProblemText,
  finalStatus,
  isOpen,
  needsNoMoreWaiting,
} from './rules.ts'
import type { BatchCounts } from './rules.ts'
import {
  endBatch,
  lockBatches,
  recordFileProblem,
  renewFileLease,
  startFileBuild,
  startWaiting,
} from './store.ts'
import type { BatchRecord } from './store.ts'

/** Renewed while files are built; after a crash another process builds them. */
const FILES_LEASE_MS = 6_000
const FILES_RETRY_MS = 5_000
/** Many changes of a closed batch, such as 500 voids, cause one build. */
const QUIET_MS = 1_000

/** 'none': nothing to build, or another process builds. */
export type FileBuildResult = 'made' | 'none' | { problem: string }

/** Builds even files that are up to date. `actorId`: for the audit. */
export type RebuildRequest = { actorId?: number }

/** May be called at any time and repeatedly. `ahead`: files of this batch that are being drawn. */
export async function endIfReady(
  ctx: LabelContext,
  batchId: number,
  rebuild?: RebuildRequest,
  ahead?: FilesAhead,
): Promise<FileBuildResult> {
  if (await hasOpenRows(ctx.database.db, batchId)) return 'none'
  const batch = await ctx.database.tx(tx => claimFileBuild(ctx, tx, batchId, rebuild))
  if (!batch) return 'none'
  ctx.batchProgress.emit([batchId])
  const renewing = setInterval(() => {
    ctx.database.tx(tx => renewFileLease(tx, batchId, FILES_LEASE_MS)).catch(() => {})
  }, FILES_LEASE_MS / 3)
  try {
    const built =
      (await ahead?.finish())
      ?? (await writeBatchFiles(
        ctx.files,
        batchFileNames(batch.id, batch.fileKey, ctx.config.mode === 'sandbox'),
        {
          rows: () => readBatchFileRows(ctx, batch, 'stored'),
          confirmRows: () => readConfirmRows(ctx, batch, 'stored'),
          source: batch.source,
        },
      ))
    await ctx.database.tx(async tx => {
      const [locked] = await lockBatches(tx, [batchId])
      for (const { orderId, fileName } of built.missing)
        await requestLabelFileAgain(tx, orderId, fileName!)
      for (const [kind, file] of [
        ['pdf', built.pdf],
        ['result-csv', built.result],
        ['auto-csv', built.confirm],
      ] as const) {
        if (file) await upsertFile(tx, { ...file, kind, userId: batch.userId, batchId })
      }
      const states = (await countStates(tx, [batchId])).get(batchId)!
      const counts = countsOf('completed', states)
      await endBatch(tx, batchId, {
        status: locked!.status === 'generating_files' ? finalStatus(states) : locked!.status!,
        ...counts,
        changeCount: batch.changeCount,
        pdfName: built.pdf?.name ?? null,
        resultName: built.result.name,
        confirmName: built.confirm?.name ?? null,
      })
      if (locked!.status === 'generating_files')
        await publish(tx, [endedMessage(batch, finalStatus(states), counts)])
    })
    return 'made'
  } catch (error) {
    ctx.log.error(
      { err: error, batchId },
      'the files of a batch could not be built; another try follows',
    )
    clearInterval(renewing)
    const problem = fileProblemText((error as { code?: unknown }).code)
    await ctx.database.tx(tx => recordFileProblem(tx, batchId, problem, FILES_RETRY_MS))
    return { problem }
  } finally {
    clearInterval(renewing)
    ctx.batchProgress.emit([batchId])
  }
}

/** Sent when a batch ends; once more when its retried rows have ended. */
const endedMessage = (
  { id, userId, total }: BatchRecord,
  status: BatchStatus,
  { processed, failed }: BatchCounts,
): OutboxMessage => ({
  userId,
  type: 'batch.completed',
  data: { batchId: String(id), status, total, purchased: processed - failed, failed },
})

async function claimFileBuild(
  ctx: LabelContext,
  tx: Tx,
  batchId: number,
  rebuild?: RebuildRequest,
): Promise<BatchRecord | null> {
  const [batch] = await lockBatches(tx, [batchId])
  if (!batch?.status || batch.isLeased) return null
  if (isOpen(batch.status)) {
    if (await hasOpenRows(tx, batchId)) return null
    const states = (await countStates(tx, [batchId])).get(batchId)!
    const pendingFiles = ctx.carrier.fetchLabel ? await countPendingLabelFiles(tx, batchId) : 0
    if (!needsNoMoreWaiting(batch.status, states.unknown, pendingFiles, batch.waitedMs)) {
      await startWaiting(tx, batchId)
      return null
    }
    await startFileBuild(tx, batchId, 'generating_files', FILES_LEASE_MS)
    return batch
  }
  const isDue =
    batch.status === 'generating_files' || (batch.filesStale && batch.quietMs >= QUIET_MS)
  if (!isDue && !rebuild) return null
  if (rebuild?.actorId !== undefined) {
    await insertAuditEntry(tx, {
      actorId: rebuild.actorId,
      subjectId: batch.userId,
      action: 'files-made-again',
      detail: { batchId },
    })
  }
  // Its status stays: new files do not open an ended batch.
  await startFileBuild(tx, batchId, batch.status, FILES_LEASE_MS)
  return batch
}
