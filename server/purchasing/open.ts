import { startBatchJobs } from '#server/batches/jobs.ts'
import type { BatchJobs } from '#server/batches/jobs.ts'
import { createBatchProgressSignal } from '#server/batches/progress.ts'
import { openCarrierAccounts } from '#server/carriers/open.ts'
import type { Carrier } from '#server/carriers/port.ts'
import { refreshRawServices } from '#server/carriers/service.ts'
import { ensureCatalogue } from '#server/catalogue/service.ts'
import { STORED_FILE_NAMES } from '#server/labels/file-names.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { Context } from '#server/platform/context.ts'
import { checkFileStore, openFileStore } from '#server/platform/storage/open.ts'
import { assertSameCarrier } from './same-carrier.ts'
import { sweepJob } from './sweep-jobs.ts'
import { startPurchaseWorker } from './worker.ts'
import type { Worker } from './worker.ts'

export type OpenPurchasing = LabelContext & {
  start(): Promise<void>
  /** Stops buying and ends all waits. Call it before open requests are ended. */
  drain(): Promise<void>
  stop(): Promise<void>
}

/** With ROLE=web this process buys only the labels that its own requests wait for. */
export function openPurchasing(
  given: Context,
  wrapCarrier: (carrier: Carrier) => Carrier = carrier => carrier,
): OpenPurchasing {
  const { config, log } = given
  const shutdown = new AbortController()
  const accounts = openCarrierAccounts(given, wrapCarrier)
  const ctx: LabelContext = {
    ...given,
    batchProgress: createBatchProgressSignal(),
    carrier: accounts[0].carrier,
    ...(accounts.length > 1 && { carrierAccounts: accounts }),
    closing: shutdown.signal,
    files: openFileStore(config, STORED_FILE_NAMES),
  }
  const works = config.role !== 'web'
  const sweeps = sweepJob(ctx)
  let jobs: BatchJobs | undefined
  let worker: Worker | undefined
  return {
    ...ctx,
    async start() {
      await checkFileStore(config, STORED_FILE_NAMES, log)
      await assertSameCarrier(ctx)
      await ensureCatalogue(given, await refreshRawServices(ctx))
      jobs = startBatchJobs(ctx, { works })
      if (!works) return
      await sweeps.start()
      worker = startPurchaseWorker(ctx)
      ctx.batchProgress.onProgress(() => worker?.wake())
    },
    async drain() {
      shutdown.abort()
      await worker?.stop()
    },
    async stop() {
      await sweeps.stop()
      await jobs?.stop()
    },
  }
}
