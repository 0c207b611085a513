import { accountContexts } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { openRepeatedJob } from '#server/platform/process/repeated-job.ts'
import type { RepeatedJob } from '#server/platform/process/repeated-job.ts'
import { processScanForms, scanFormsSettled } from './making.ts'

/**
 * Makes and looks up what is due, in processes that work. `stop` waits in every process for the
 * carrier's answers, also those that a request no longer waits for.
 */
export function openScanFormJobs(ctx: LabelContext): RepeatedJob {
  const job = openRepeatedJob(ctx, {
    pauseMs: 1_000,
    round: isStopped =>
      Promise.all(
        accountContexts(ctx).map(async own => {
          while (!isStopped() && (await processScanForms(own)) > 0);
        }),
      ),
    failure: 'the job of SCAN forms met an error and continues',
  })
  return {
    start: job.start,
    async stop() {
      await job.stop()
      await scanFormsSettled(ctx)
    },
  }
}
