import type { Context } from './platform/context.ts'
import { keepLabelArchive } from './platform/database/label-archive.ts'
import { openRepeatedJob } from './platform/process/repeated-job.ts'
import type { RepeatedJob } from './platform/process/repeated-job.ts'

/** Moves finished labels to the archive, at the start and hourly. */
export const labelArchiveJob = (ctx: Context): RepeatedJob =>
  openRepeatedJob(ctx, {
    pauseMs: 3600_000,
    round: isStopped =>
      keepLabelArchive(ctx.database.pool, {
        say: done => ctx.log.info({ done }, 'archive of labels'),
        isStopped,
      }),
    failure: 'labels could not be moved to the archive; retry in an hour',
  })
