import { isDatabaseUnavailable } from '#server/platform/http/error-handler.ts'
/** What keeps batches moving: progress told to everybody, ends taken care of, also for batches whose process has died. */
import type { BatchKeeper } from '#server/purchasing/settle.ts'
import { endIfReady, recountClosedBatches } from './close.ts'
import type { WithBatches } from './close.ts'
import { isOpen, requeueWindowMs } from './rules.ts'
import { lockBatches, notifyProgress, selectUnfinished } from './store.ts'

/** Progress is told at most this often per batch; the last of a burst is always told. */
const ANNOUNCE_EVERY_MS = 200
const SWEEP_MS = 1_000
const SWEEP_AT_ONCE = 50

/** The batches' side of settling orders. `begin` gives it the house it belongs to, which in turn holds the keeper. */
export type Keeper = BatchKeeper & {
  begin(ctx: WithBatches, wake: () => void, works: boolean): void
  end(): Promise<void>
}

export function batchKeeper(): Keeper {
  let ctx: WithBatches | null = null
  let wakeWorker = (): void => {}
  let ends = false
  let clock: NodeJS.Timeout | undefined
  let sweeping: Promise<void> = Promise.resolve()
  const untold = new Set<number>()
  let telling: NodeJS.Timeout | undefined
  let toldAt = 0
  const ending = new Map<number, Promise<unknown>>()
  let sweptTo = 0

  function tell(): void {
    telling = undefined
    toldAt = Date.now()
    const ids = [...untold]
    untold.clear()
    // Lost with the database; the sweep and the clients' polling make up for it.
    if (ctx && ids.length > 0) void notifyProgress(ctx.database.db, ids).catch(() => {})
  }

  function tryToEnd(id: number): void {
    if (!ctx || !ends || ending.has(id)) return
    const work = endIfReady(ctx, id)
      .then(made => {
        if (made !== 'none') ctx?.meter?.batchFilesMade(made === 'made' ? made : 'problem')
      })
      .catch(problem)
      .finally(() => ending.delete(id))
    ending.set(id, work)
  }

  function problem(error: unknown): void {
    if (!isDatabaseUnavailable(error))
      ctx?.log.error({ err: error }, 'a batch could not be ended; it will be tried again')
  }

  /** Goes around: many batches that wait for their carrier must not keep the sweep from those behind them. */
  async function sweep(): Promise<void> {
    const ids = await selectUnfinished(ctx!.database.db, sweptTo, SWEEP_AT_ONCE)
    for (const id of ids) tryToEnd(id)
    sweptTo = ids.length === SWEEP_AT_ONCE ? ids.at(-1)! : 0
  }

  return {
    async lock(tx, ids) {
      const batches = await lockBatches(tx, ids)
      return new Map(
        batches.flatMap(({ id, status, retriedMs }) =>
          status && isOpen(status) ? [[id, requeueWindowMs(status, retriedMs)]] : [],
        ),
      )
    },
    changed: (tx, ids) => recountClosedBatches(tx, ids),
    progressed(ids) {
      for (const id of ids) {
        untold.add(id)
        tryToEnd(id)
      }
      wakeWorker()
      telling ??= setTimeout(tell, Math.max(0, toldAt + ANNOUNCE_EVERY_MS - Date.now()))
    },
    begin(withBatches, wake, works) {
      ctx = withBatches
      wakeWorker = wake
      ends = works
      if (works)
        clock = setInterval(() => {
          sweeping = sweeping.then(sweep).catch(problem)
        }, SWEEP_MS)
    },
    async end() {
      clearInterval(clock)
      await sweeping
      await Promise.all(ending.values())
      clearTimeout(telling)
      tell()
    },
  }
}
