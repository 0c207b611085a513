/** A batch's files when somebody wants them now: made again if they have to be, and never older than its rows. */
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { BatchFileKind } from '#contract/downloads.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { readFileOrRefuse } from '#server/platform/storage/open.ts'
import { endIfReady } from './close.ts'
import type { WithBatches } from './close.ts'
import { isUnfinished, isOpen } from './rules.ts'
import { findBatch } from './store.ts'
import type { BatchRecord } from './store.ts'

const LOOK_EVERY_MS = 100
/** How long a reader waits for files that another process is making. */
const READ_PATIENCE_MS = 5_000
/** Longer than the lease of a process that died over the files. */
const REBUILD_PATIENCE_MS = 15_000

export type OpenBatchFile = { name: string; stream: Readable; bytes: number }

/**
 * Opens a file of a batch; null where it has none of this kind. Files that are gone from the disk, or older than the rows, are made
 * again first: a label that was voided is in no file that anybody is given. Throws Refusal 'not_found' while the batch is at work,
 * 'unavailable' when the files cannot be made.
 */
export async function openBatchFile(
  ctx: WithBatches,
  batchId: number,
  kind: BatchFileKind,
): Promise<OpenBatchFile | null> {
  const until = Date.now() + READ_PATIENCE_MS
  for (;;) {
    const batch = (await findBatch(ctx.database.db, batchId))!
    assertFilesReady(batch)
    const name = {
      pdf: batch.pdfName,
      'result-csv': batch.resultName,
      'auto-csv': batch.confirmName,
    }[kind]
    if (!batch.filesStale) {
      const found = name && (await readFileOrRefuse(ctx, name))
      if (found) return { name, ...found }
      if (!name) return null
    }
    const made = await endIfReady(ctx, batchId, {})
    if (typeof made === 'object' || ctx.closing.aborted || Date.now() >= until) {
      throw new Refusal(
        'unavailable',
        'The files of this bulk order are being made again. Please try again in a moment.',
        undefined,
        5,
      )
    }
    if (made === 'none') await wait(LOOK_EVERY_MS)
  }
}

/** Throws Refusal 'not_found' while a batch is at work: files of an earlier end are out of date as soon as a retry begins. */
export function assertFilesReady({ resultName, status }: BatchRecord): void {
  if (!resultName || isUnfinished(status!))
    throw new Refusal('not_found', 'The files of this bulk order are not ready yet')
}

/**
 * Makes the files of a bulk order now, for an administrator; waits for a process that is at it. Throws Refusal: 'not_found',
 * 'conflict' while rows are still bought, 'unavailable' when the files cannot be made, naming why.
 */
export async function rebuildFiles(
  ctx: WithBatches,
  actorId: number,
  batchId: number,
): Promise<void> {
  const batch = await findBatch(ctx.database.db, batchId)
  if (!batch?.status) throw new Refusal('not_found', 'There is no such bulk order')
  if (isOpen(batch.status))
    throw new Refusal(
      'conflict',
      'This bulk order is still being processed; its files are made at its end',
    )
  const until = Date.now() + REBUILD_PATIENCE_MS
  for (;;) {
    const made = await endIfReady(ctx, batchId, { actorId })
    if (made === 'made') return
    if (made !== 'none')
      throw new Refusal('unavailable', `The files could not be made: ${made.problem}`, undefined, 5)
    if (ctx.closing.aborted || Date.now() >= until) {
      throw new Refusal(
        'unavailable',
        'The files are being made at the moment. Please try again soon.',
        undefined,
        5,
      )
    }
    await wait(LOOK_EVERY_MS)
  }
}
