import type { WithBatches } from '#server/batches/close.ts'
/** What runs beside the calls to make labels: the catalogue's first look at the carrier, the worker, the batches' keeper. */
import { batchKeeper } from '#server/batches/jobs.ts'
import { openCarrier } from '#server/carriers/open.ts'
import type { Carrier } from '#server/carriers/port.ts'
import { refreshRawServices } from '#server/carriers/service.ts'
import { ensureCatalogue } from '#server/catalogue/service.ts'
import type { Context } from '#server/platform/context.ts'
import { checkFileStore, openFileStore } from '#server/platform/storage/open.ts'
import { assertSameCarrier } from './same-carrier.ts'
import { startPurchaseWorker } from './worker.ts'
import type { Worker } from './worker.ts'

export type OpenPurchasing = WithBatches & {
  start(): Promise<void>
  /** Takes no more labels to buy, settles those under way, and lets nobody wait for more. Before the calls are ended. */
  drain(): Promise<void>
  stop(): Promise<void>
}

/** Adds carrier, files and batches to the house. With ROLE=web nothing is bought here but what a buyer of one label waits for. */
export function openPurchasing(
  ctx: Context,
  wrapCarrier: (carrier: Carrier) => Carrier = carrier => carrier,
): OpenPurchasing {
  const { config } = ctx
  const keeper = batchKeeper()
  const closing = new AbortController()
  const rooms: WithBatches = {
    ...ctx,
    closing: closing.signal,
    carrier: wrapCarrier(openCarrier(ctx)),
    batchKeeper: keeper,
    files: openFileStore(config),
  }
  const works = config.role !== 'web'
  let worker: Worker | undefined
  return {
    ...rooms,
    async start() {
      await checkFileStore(config, ctx.log)
      await assertSameCarrier(rooms)
      await ensureCatalogue(ctx, await refreshRawServices(rooms))
      keeper.begin(rooms, () => worker?.wake(), works)
      if (works) worker = startPurchaseWorker(rooms)
    },
    async drain() {
      closing.abort()
      await worker?.stop()
    },
    stop: () => keeper.end(),
  }
}
