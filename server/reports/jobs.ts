import type { Context } from '#server/platform/context.ts'
import { openRepeatedJob } from '#server/platform/process/repeated-job.ts'
import type { RepeatedJob } from '#server/platform/process/repeated-job.ts'
import { sumNewTransfers, sumNewTransfersOfAccounts } from './sums.ts'

/**
 * Sums new transfers at the start and every 15 seconds, so that no reader of a report waits for many. Without it reports are as
 * exact and the first one is slower.
 */
export const reportSumsJob = (ctx: Context): RepeatedJob =>
  openRepeatedJob(ctx, {
    pauseMs: 15_000,
    async round(isStopped) {
      await sumNewTransfers(ctx, undefined, isStopped)
      await sumNewTransfersOfAccounts(ctx, undefined, isStopped)
    },
    failure: 'the sums of reports could not be made; retry in a moment',
  })
