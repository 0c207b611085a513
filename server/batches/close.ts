/**
 * The end of a batch: nothing open any more → files are made → counts and status are frozen. Each step is a transaction of its
 * own under the batch's lock and may be repeated; a process that dies in between is followed by the sweep of another.
 */
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { writeBatchFiles } from '#server/labels/batch-files.ts'
import {
  countPendingLabelFiles,
  requestLabelFileAgain,
} from '#server/labels/carrier-label-file-store.ts'
import { upsertFile } from '#server/labels/store.ts'
import { countStates, hasOpenRows } from '#server/orders/store.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { LabelContext } from '#server/purchasing/settle.ts'
import { readBatchFileRows } from './batch-file-rows.ts'
import { countsOf, batchFileNames, fileProblemText, finalStatus, isOpen, mayEnd } from './rules.ts'
import {
  endBatch,
  recordFileProblem,
  lockBatches,
  updateFrozenCounts,
  renewFileLease,
  startFileBuild,
  startWaiting,
} from './store.ts'
import type { BatchRecord } from './store.ts'

export type WithBatches = LabelContext

/** Renewed while the files are made; a process that died over them is followed by another after this. */
const FILES_LEASE_MS = 6_000
const FILES_RETRY_MS = 5_000
/** Rows of a closed batch that change one after another, such as 500 voids, wait for each other: its files are made once for all. */
const QUIET_MS = 1_000

/** `none`: nothing is to be made, or another process has it in hand. */
export type FileBuildResult = 'made' | 'none' | { problem: string }

/** Files are made at once, even if they are up to date. `actorId`: the administrator who asked for it, for the audit. */
export type RebuildRequest = { actorId?: number }

/** Ends a batch if it is ready to end. Safe to call at any time, by anybody, as often as one likes. */
export async function endIfReady(
  ctx: WithBatches,
  batchId: number,
  again?: RebuildRequest,
): Promise<FileBuildResult> {
  if (await hasOpenRows(ctx.database.db, batchId)) return 'none'
  const batch = await ctx.database.tx(tx => claimFileBuild(ctx, tx, batchId, again))
  if (!batch) return 'none'
  ctx.batchKeeper.progressed([batchId])
  const renewing = setInterval(() => {
    ctx.database.tx(tx => renewFileLease(tx, batchId, FILES_LEASE_MS)).catch(() => {})
  }, FILES_LEASE_MS / 3)
  try {
    const made = await writeBatchFiles(
      ctx.files,
      batchFileNames(batch.id, batch.fileKey, ctx.config.mode === 'sandbox'),
      () => readBatchFileRows(ctx, batch),
    )
    await ctx.database.tx(async tx => {
      const [locked] = await lockBatches(tx, [batchId])
      for (const { orderId, fileName } of made.missing)
        await requestLabelFileAgain(tx, orderId, fileName!)
      for (const [kind, file] of [
        ['pdf', made.pdf],
        ['result-csv', made.result],
        ['auto-csv', made.confirm],
      ] as const) {
        if (file) await upsertFile(tx, { ...file, kind, userId: batch.userId, batchId })
      }
      const states = (await countStates(tx, [batchId])).get(batchId)!
      const counts = countsOf('completed', states)
      await endBatch(tx, batchId, {
        status: locked!.status === 'generating_files' ? finalStatus(states) : locked!.status!,
        ...counts,
        changes: batch.changes,
        pdfName: made.pdf?.name ?? null,
        resultName: made.result.name,
        confirmName: made.confirm?.name ?? null,
      })
    })
    return 'made'
  } catch (error) {
    ctx.log.error(
      { err: error, batchId },
      'the files of a batch could not be made; it will be tried again',
    )
    clearInterval(renewing)
    const problem = fileProblemText((error as { code?: unknown }).code)
    await ctx.database.tx(tx => recordFileProblem(tx, batchId, problem, FILES_RETRY_MS))
    return { problem }
  } finally {
    clearInterval(renewing)
    ctx.batchKeeper.progressed([batchId])
  }
}

/** Takes the batch for making its files, if it has come so far and nobody else has it. */
async function claimFileBuild(
  ctx: WithBatches,
  tx: Tx,
  batchId: number,
  again?: RebuildRequest,
): Promise<BatchRecord | null> {
  const [batch] = await lockBatches(tx, [batchId])
  if (!batch?.status || batch.isLeased) return null
  if (isOpen(batch.status)) {
    if (await hasOpenRows(tx, batchId)) return null
    const states = (await countStates(tx, [batchId])).get(batchId)!
    const wanted = ctx.carrier.fetchLabel ? await countPendingLabelFiles(tx, batchId) : 0
    if (!mayEnd(batch.status, states.unknown, wanted, batch.waitedMs)) {
      await startWaiting(tx, batchId)
      return null
    }
    await startFileBuild(tx, batchId, 'generating_files', FILES_LEASE_MS)
    return batch
  }
  const isDue =
    batch.status === 'generating_files' || (batch.filesStale && batch.quietMs >= QUIET_MS)
  if (!isDue && !again) return null
  if (again?.actorId !== undefined) {
    await insertAuditEntry(tx, {
      actorId: again.actorId,
      subjectId: batch.userId,
      action: 'files-made-again',
      detail: { batchId },
    })
  }
  // Files made again for a batch that has ended keep its status: it is not opened a second time.
  await startFileBuild(tx, batchId, batch.status, FILES_LEASE_MS)
  return batch
}

/** A closed batch's rows have changed: what is frozen follows in the same transaction, the files soon after. */
export async function recountClosedBatches(tx: Tx, batchIds: number[]): Promise<void> {
  const states = await countStates(tx, batchIds)
  for (const batch of await lockBatches(tx, batchIds)) {
    if (!batch.status || isOpen(batch.status)) continue
    const counts = countsOf('completed', states.get(batch.id)!)
    const status =
      batch.status === 'generating_files' ? batch.status : finalStatus(states.get(batch.id)!)
    await updateFrozenCounts(tx, batch.id, status, counts.processed, counts.failed)
  }
}
