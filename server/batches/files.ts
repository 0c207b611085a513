import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { BatchFileKind } from '#contract/downloads.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { readFileOrRefuse } from '#server/platform/storage/open.ts'
import { endIfReady } from './close.ts'
import { isOpen, isUnfinished } from './rules.ts'
import { batchNotFound } from './service.ts'
import { findBatch } from './store.ts'
import type { BatchRecord } from './store.ts'

const POLL_MS = 100
/** For files that another process is building. */
const READ_PATIENCE_MS = 5_000
/** Longer than the lease of a process that died. */
const REBUILD_PATIENCE_MS = 15_000

export type OpenBatchFile = { name: string; stream: Readable; bytes: number }

/**
 * Builds missing or stale files first, so that no download contains a voided label. Null if the
 * batch has no file of this kind. Throws Refusal: 404 while the batch is unfinished,
 * 503 if the files cannot be built.
 */
export async function openBatchFile(
  ctx: LabelContext,
  batchId: number,
  kind: BatchFileKind,
): Promise<OpenBatchFile | null> {
  const until = performance.now() + READ_PATIENCE_MS
  for (;;) {
    const batch = (await findBatch(ctx.database.db, batchId))!
    assertFilesReady(batch)
    const name = fileNameOf(batch, kind)
    if (!batch.filesStale) {
      const found = name && (await readFileOrRefuse(ctx, name))
      if (found) return { name, ...found }
      if (!name) return null
    }
    const made = await endIfReady(ctx, batchId, {})
    if (typeof made === 'object' || ctx.closing.aborted || performance.now() >= until) {
      throw new Refusal(
        'file_being_made',
        'The files of this bulk order are being updated. Please try again in a moment.',
        { retryAfter: 5 },
      )
    }
    if (made === 'none') await wait(POLL_MS)
  }
}

/** What `openBatchFile` would open, without building it: then `bytes` is missing. */
export async function statBatchFile(
  ctx: LabelContext,
  batch: BatchRecord,
  kind: BatchFileKind,
): Promise<{ name: string; bytes?: number; stream?: undefined } | null> {
  const name = fileNameOf(batch, kind)
  if (name === null || batch.filesStale) return name === null ? null : { name }
  const found = await readFileOrRefuse(ctx, name)
  found?.stream.destroy()
  return { name, ...(found && { bytes: found.bytes }) }
}

const fileNameOf = (batch: BatchRecord, kind: BatchFileKind): string | null =>
  ({ pdf: batch.pdfName, 'result-csv': batch.resultName, 'auto-csv': batch.confirmName })[kind]

/** A retry makes files of an earlier end out of date. */
export function assertFilesReady({ resultName, status }: BatchRecord): void {
  if (!resultName || isUnfinished(status!))
    throw new Refusal('file_not_ready', 'The files of this bulk order are not ready yet')
}

/**
 * Waits for a process that is building. Throws Refusal: 404, 409 while rows are
 * being bought, 503 with the reason if the files cannot be built.
 */
export async function rebuildFiles(
  ctx: LabelContext,
  actorId: number,
  batchId: number,
): Promise<void> {
  const batch = await findBatch(ctx.database.db, batchId)
  if (!batch?.status) throw batchNotFound()
  if (isOpen(batch.status))
    throw new Refusal(
      'batch_processing',
      'This bulk order is still being processed. Its files are created when it finishes.',
    )
  const until = performance.now() + REBUILD_PATIENCE_MS
  for (;;) {
    const made = await endIfReady(ctx, batchId, { actorId })
    if (made === 'made') return
    if (made !== 'none')
      throw new Refusal('storage_unavailable', `The files could not be created: ${made.problem}`, {
        retryAfter: 5,
      })
    if (ctx.closing.aborted || performance.now() >= until) {
      throw new Refusal(
        'file_being_made',
        'The files are being created right now. Please try again soon.',
        { retryAfter: 5 },
      )
    }
    await wait(POLL_MS)
  }
}
