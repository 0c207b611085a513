/** The doctor's check of the tables that have a partition for each month. */
import type pg from 'pg'
import { EVIDENCE_TABLES } from '#server/evidence.ts'
import type { Config } from '#server/platform/config.ts'
import { readLastMonthEnd, readRetention } from '#server/platform/database/months.ts'
import type { Finding } from './data-checks.ts'

const textOf = (months: number | null): string =>
  months === null ? 'forever' : `for ${months} months`

export async function checkEvidence(
  pool: pg.Pool,
  config: Pick<Config, 'evidenceRetentionMonths'>,
  now: Date,
): Promise<Finding[]> {
  const wanted = config.evidenceRetentionMonths ?? null
  const kept = await readRetention(pool)
  const retention: Finding =
    kept === wanted
      ? {
          isOk: true,
          text: `Evidence: carrier calls, audit and parcel histories are kept ${textOf(kept)}`,
        }
      : {
          isOk: false,
          text:
            `Evidence: the database keeps it ${textOf(kept)}, and EVIDENCE_RETENTION_MONTHS says ${textOf(wanted)}. `
            + 'Start a process that has the variable and the owner of the database (DATABASE_OWNER_URL).',
        }
  const ends = await Promise.all(EVIDENCE_TABLES.map(table => readLastMonthEnd(pool, table)))
  const late = EVIDENCE_TABLES.filter((_, n) => ends[n] === null || ends[n]! < now)
  if (late.length === 0) return [retention]
  return [
    retention,
    {
      isOk: false,
      text:
        `Evidence: ${late.join(', ')} ${late.length === 1 ? 'has' : 'have'} no partition for this month. `
        + 'A running worker adds it within an hour; its log says why it cannot.',
    },
  ]
}
