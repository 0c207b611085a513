import { endFarWaits } from './far-waits-store.ts'
import type { Context } from './platform/context.ts'
import { openRepeatedJob } from './platform/process/repeated-job.ts'
import type { RepeatedJob } from './platform/process/repeated-job.ts'

export const farWaitsJob = (ctx: Context): RepeatedJob =>
  openRepeatedJob(ctx, {
    pauseMs: 60_000,
    round: () => endFarWaits(ctx.database),
    failure: 'waits that a changed clock made too long could not be ended; retry in a minute',
  })
