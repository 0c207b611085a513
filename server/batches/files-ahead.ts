/**
 * Draws the files of a large bulk order while its labels are purchased, so that little is left to do after the last one. A
 * convenience of the process that accepted the order: without it, files are written at the end.
 */
import { createHash } from 'node:crypto'
import { writeBatchFiles } from '#server/labels/batch-files.ts'
import type { BatchFiles } from '#server/labels/batch-files.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { hashRowVersions, hasRowsToEnd, selectBatchRowVersions } from '#server/orders/service.ts'
import { readConfirmRows, FILE_ROWS_A_PAGE, toBatchFileRows } from './batch-file-rows.ts'
import { batchFileNames } from './rules.ts'
import type { BatchRecord } from './store.ts'

/** Smaller ones take no time at the end. */
const MIN_ROWS = 500

/** Each holds open files; in a bucket, a part of each. */
export const MAX_DRAWN_AHEAD = 4

export type FilesAhead = {
  /** More rows may have ended. */
  advance(): void
  /**
   * Call it with the lease of the files, when no more rows are waited for: until then no file is published. Null if they
   * could not be drawn, or if a row has changed since.
   */
  finish(): Promise<BatchFiles | null>
  discard(): Promise<void>
}

/** Files of carriers arrive later than the purchase, and may be missing. */
export const mayDrawAhead = (ctx: LabelContext, { status, total }: BatchRecord): boolean =>
  status === 'processing' && total >= MIN_ROWS && !ctx.carrier.fetchLabel

class DiscardedError extends Error {}

export function drawFilesAhead(ctx: LabelContext, batch: BatchRecord): FilesAhead {
  const { db } = ctx.database
  const drawn = createHash('md5')
  let progress = createWakeUp()
  let isLast = false
  let isDiscarded = false

  async function nextProgress(): Promise<void> {
    await progress.happened
    progress = createWakeUp()
    if (isDiscarded) throw new DiscardedError()
  }

  async function* rows() {
    for (let after = 0; ;) {
      while (!isLast && (await hasRowsToEnd(db, batch.id, after, FILE_ROWS_A_PAGE)))
        await nextProgress()
      const page = await selectBatchRowVersions(db, batch.id, after, FILE_ROWS_A_PAGE)
      for (const { version } of page) drawn.update(`${version} `)
      yield* await toBatchFileRows(
        ctx,
        batch,
        page.map(({ order }) => order),
        'stored',
      )
      if (page.length < FILE_ROWS_A_PAGE) break
      after = page.at(-1)!.order.rowNo
    }
    while (!isLast) await nextProgress()
  }

  const names = batchFileNames(batch.id, batch.fileKey, ctx.config.mode === 'sandbox')
  const written = writeBatchFiles(ctx.files, names, {
    rows,
    confirmRows: () => readConfirmRows(ctx, batch, 'stored'),
    source: batch.source,
  }).then(
    files => ({ files, versions: drawn.digest('hex') }),
    (error: unknown) => {
      if (!(error instanceof DiscardedError))
        ctx.log.warn({ err: error, batchId: batch.id }, 'files could not be drawn ahead')
      return null
    },
  )

  return {
    advance: () => progress.wake(),
    async finish() {
      isLast = true
      progress.wake()
      // Hashed while the end is written. The batch is claimed, so a row that changes after the hash makes the files stale.
      const versions = hashRowVersions(db, batch.id)
      versions.catch(() => {})
      const result = await written
      return result?.versions === (await versions) ? result.files : null
    },
    async discard() {
      isDiscarded = true
      progress.wake()
      await written
    },
  }
}

function createWakeUp(): { wake: () => void; happened: Promise<void> } {
  let wake!: () => void
  const happened = new Promise<void>(done => (wake = done))
  return { wake, happened }
}
