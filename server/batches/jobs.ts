import type { LabelContext } from '#server/orders/context.ts'
import { isDatabaseUnavailable } from '#server/platform/database/faults.ts'
import { endIfReady } from './close.ts'
import { drawFilesAhead, mayDrawAhead, MAX_DRAWN_AHEAD } from './files-ahead.ts'
import type { FilesAhead } from './files-ahead.ts'
import { countBatchFiles } from './metrics.ts'
import { findBatch, notifyProgress, selectUnfinished } from './store.ts'

/** The last progress of a burst is always announced. */
const ANNOUNCE_EVERY_MS = 200
const SWEEP_MS = 1_000
const SWEEP_AT_ONCE = 50

export type BatchJobs = { stop(): Promise<void> }

/**
 * A process that `works` also ends batches: on progress, and in a sweep for batches of processes
 * that died.
 */
export function startBatchJobs(ctx: LabelContext, { works }: { works: boolean }): BatchJobs {
  let sweeping: Promise<void> = Promise.resolve()
  const unannounced = new Set<number>()
  let announcing: NodeJS.Timeout | undefined
  let nextAt = 0
  let sweptTo = 0

  function announce(): void {
    announcing = undefined
    nextAt = performance.now() + ANNOUNCE_EVERY_MS
    const ids = [...unannounced]
    unannounced.clear()
    // If it is lost, the sweep and polling clients make up for it.
    if (ids.length > 0) void notifyProgress(ctx.database.db, ids).catch(() => {})
  }

  const ahead = openFilesAhead(ctx)
  const ending = createQueueById(id =>
    endIfReady(ctx, id, undefined, ahead.find(id))
      .then(result => {
        if (result === 'none') return
        ahead.forget(id)
        countBatchFiles(ctx.meter, result === 'made' ? result : 'problem')
      })
      .catch(report),
  )

  function report(error: unknown): void {
    if (!isDatabaseUnavailable(error))
      ctx.log.error({ err: error }, 'a batch could not be ended; another try follows')
  }

  /**
   * Continues where it stopped, so that batches waiting for their carrier do not hold up others.
   */
  async function sweep(): Promise<void> {
    const ids = await selectUnfinished(ctx.database.db, sweptTo, SWEEP_AT_ONCE)
    for (const id of ids) ending.start(id)
    sweptTo = ids.length === SWEEP_AT_ONCE ? ids.at(-1)! : 0
    await ahead.discardEnded()
  }

  const removeListener = ctx.batchProgress.onProgress((ids, areNew) => {
    for (const id of ids) {
      unannounced.add(id)
      if (works && areNew) ahead.start(id).catch(report)
      ahead.find(id)?.advance()
      if (works) ending.start(id)
    }
    announcing ??= setTimeout(announce, Math.max(0, nextAt - performance.now()))
  })
  const sweeper = works
    ? setInterval(() => {
        sweeping = sweeping.then(sweep).catch(report)
      }, SWEEP_MS)
    : undefined

  return {
    async stop() {
      clearInterval(sweeper)
      await sweeping
      removeListener()
      await ahead.discardAll()
      await ending.stop()
      clearTimeout(announcing)
      announce()
    },
  }
}

/** Runs `work` for an id once at a time. What is started meanwhile makes it run once more: it may have missed the change. */
function createQueueById(work: (id: number) => Promise<void>) {
  const running = new Map<number, Promise<void>>()
  const again = new Set<number>()
  let isStopped = false
  function start(id: number): void {
    if (isStopped) return
    if (running.has(id)) return void again.add(id)
    const run = work(id).finally(() => {
      running.delete(id)
      if (again.delete(id)) start(id)
    })
    running.set(id, run)
  }
  return {
    start,
    async stop(): Promise<void> {
      isStopped = true
      await Promise.all(running.values())
    },
  }
}

/** Files of bulk orders that this process has accepted. */
function openFilesAhead(ctx: LabelContext) {
  const drawn = new Map<number, FilesAhead>()
  const discard = async (id: number): Promise<void> => {
    const files = drawn.get(id)
    drawn.delete(id)
    await files?.discard()
  }
  return {
    find: (id: number): FilesAhead | undefined => drawn.get(id),
    /** Its files are finished. */
    forget: (id: number): void => void discard(id),
    async start(id: number): Promise<void> {
      const batch = await findBatch(ctx.database.db, id)
      if (!batch || !mayDrawAhead(ctx, batch) || ctx.closing.aborted) return
      if (drawn.size < MAX_DRAWN_AHEAD && !drawn.has(id)) drawn.set(id, drawFilesAhead(ctx, batch))
    },
    /** Ended by other processes. */
    async discardEnded(): Promise<void> {
      for (const id of drawn.keys()) {
        const batch = await findBatch(ctx.database.db, id)
        if (batch?.status !== 'processing' && batch?.status !== 'generating_files')
          await discard(id)
      }
    },
    discardAll: async () => void (await Promise.all([...drawn.keys()].map(discard))),
  }
}
