import type { Context } from '#server/platform/context.ts'
import { openRepeatedJob } from '#server/platform/process/repeated-job.ts'
import type { RepeatedJob } from '#server/platform/process/repeated-job.ts'
import { summarizeTransfers } from './dashboard-service.ts'

/**
 * Sums new transfers for the dashboard at the start and every 15 seconds, so that no reader waits for many. Without it figures
 * are as exact, and the first reader waits about 2 s for each million transfers.
 */
export const dashboardSumsJob = (ctx: Context, from?: number): RepeatedJob =>
  openRepeatedJob(ctx, {
    pauseMs: 15_000,
    round: isStopped => summarizeTransfers(ctx, from, isStopped),
    failure: 'the sums of the dashboard could not be made; retry in a moment',
  })
