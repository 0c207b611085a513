import type { LabelContext } from '#server/orders/context.ts'
import { isDatabaseUnavailable } from '#server/platform/http/error-handler.ts'
import { endIfReady } from './close.ts'
import { countBatchFiles } from './metrics.ts'
import { notifyProgress, selectUnfinished } from './store.ts'

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
  let announcedAt = 0
  const ending = new Map<number, Promise<unknown>>()
  /** Had progress while it was being looked at. */
  const again = new Set<number>()
  let isStopping = false
  let sweptTo = 0

  function announce(): void {
    announcing = undefined
    announcedAt = Date.now()
    const ids = [...unannounced]
    unannounced.clear()
    // If it is lost, the sweep and polling clients make up for it.
    if (ids.length > 0) void notifyProgress(ctx.database.db, ids).catch(() => {})
  }

  function startEnding(id: number): void {
    if (!works || isStopping) return
    if (ending.has(id)) return void again.add(id)
    const work = endIfReady(ctx, id)
      .then(result => {
        if (result !== 'none') countBatchFiles(ctx.meter, result === 'made' ? result : 'problem')
      })
      .catch(report)
      .finally(() => {
        ending.delete(id)
        if (again.delete(id)) startEnding(id)
      })
    ending.set(id, work)
  }

  function report(error: unknown): void {
    if (!isDatabaseUnavailable(error))
      ctx.log.error({ err: error }, 'a batch could not be ended; another try follows')
  }

  /**
   * Continues where it stopped, so that batches waiting for their carrier do not hold up others.
   */
  async function sweep(): Promise<void> {
    const ids = await selectUnfinished(ctx.database.db, sweptTo, SWEEP_AT_ONCE)
    for (const id of ids) startEnding(id)
    sweptTo = ids.length === SWEEP_AT_ONCE ? ids.at(-1)! : 0
  }

  const removeListener = ctx.batchProgress.onProgress(ids => {
    for (const id of ids) {
      unannounced.add(id)
      startEnding(id)
    }
    announcing ??= setTimeout(announce, Math.max(0, announcedAt + ANNOUNCE_EVERY_MS - Date.now()))
  })
  const sweeper = works
    ? setInterval(() => {
        sweeping = sweeping.then(sweep).catch(report)
      }, SWEEP_MS)
    : undefined

  return {
    async stop() {
      isStopping = true
      clearInterval(sweeper)
      await sweeping
      await Promise.all(ending.values())
      removeListener()
      clearTimeout(announcing)
      announce()
    },
  }
}
