import { accountContexts } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { isDatabaseUnavailable } from '#server/platform/database/faults.ts'
import { processScanForms, scanFormsSettled } from './making.ts'

const TICK_MS = 1_000

export type ScanFormJobs = { start(): Promise<void>; stop(): Promise<void> }

/**
 * Makes and looks up what is due, in processes that work. `stop` waits in every process for the
 * carrier's answers, also those that a request no longer waits for.
 */
export function openScanFormJobs(ctx: LabelContext): ScanFormJobs {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let working: Promise<void> = Promise.resolve()
  const work = async (): Promise<void> => {
    await Promise.all(
      accountContexts(ctx).map(async own => {
        while (!isStopped && (await processScanForms(own)) > 0);
      }),
    )
  }
  const report = (error: unknown): void => {
    if (!isDatabaseUnavailable(error))
      ctx.log.error({ err: error }, 'the job of SCAN forms met an error and continues')
  }
  return {
    async start() {
      if (ctx.config.role === 'web') return
      let isWorking = false
      timer = setInterval(() => {
        if (isWorking) return
        isWorking = true
        working = work()
          .catch(report)
          .finally(() => (isWorking = false))
      }, TICK_MS)
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await working
      await scanFormsSettled(ctx)
    },
  }
}
