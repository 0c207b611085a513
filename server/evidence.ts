import type { Context } from './platform/context.ts'
import { keepMonths } from './platform/database/months.ts'
import { openRepeatedJob } from './platform/process/repeated-job.ts'
import type { RepeatedJob } from './platform/process/repeated-job.ts'

/** Tables with a partition for each month (docs/decisions/0066-evidence-in-months.md). */
export const EVIDENCE_TABLES = ['carrier_call', 'audit_entry', 'parcel_event'] as const

/** Keeps their months, at the start and hourly. */
export const evidenceJob = (ctx: Context): RepeatedJob =>
  openRepeatedJob(ctx, {
    pauseMs: 3600_000,
    round: isStopped =>
      keepMonths(ctx.database.pool, EVIDENCE_TABLES, {
        say: done => ctx.log.info({ done }, 'months of evidence'),
        isStopped,
      }),
    failure: 'the months of evidence could not be kept; retry in an hour',
  })
