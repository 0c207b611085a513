import type { Context } from '#server/platform/context.ts'
import { openRepeatedJob } from '#server/platform/process/repeated-job.ts'
import type { RepeatedJob } from '#server/platform/process/repeated-job.ts'
import { sweepQuotes } from './live-prices.ts'
import { applyDueChanges } from './price-changes.ts'

/** Applies scheduled prices at the start and every 10 seconds. */
export const priceChangesJob = (ctx: Context): RepeatedJob =>
  openRepeatedJob(ctx, {
    pauseMs: 10_000,
    round: () => applyDueChanges(ctx),
    failure: 'scheduled prices could not be applied; retry in a moment',
  })

/** Deletes the carrier's old quotes. */
export const quoteSweepJob = (ctx: Context): RepeatedJob =>
  openRepeatedJob(ctx, {
    pauseMs: 600_000,
    round: async () => void (await sweepQuotes(ctx, QUOTES_A_ROUND)),
    failure: 'old quotes of the carrier could not be deleted; retry in a while',
  })

const QUOTES_A_ROUND = 50_000
