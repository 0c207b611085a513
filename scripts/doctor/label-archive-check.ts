/** The doctor's check of the archive of finished labels. */
import type pg from 'pg'
import { countText } from '#contract/format.ts'
import type { Config } from '#server/platform/config.ts'
import { readLabelArchive } from '#server/platform/database/label-archive.ts'
import type { Finding } from './data-checks.ts'

const textOf = (months: number | null): string =>
  months === null ? 'no labels' : `labels that were finished ${months} months ago`

export async function checkLabelArchive(
  pool: pg.Pool,
  config: Pick<Config, 'labelArchiveMonths'>,
): Promise<Finding> {
  const { months, isThere, isWorking, labels } = await readLabelArchive(pool)
  const wanted = config.labelArchiveMonths ?? null
  if (months !== wanted)
    return {
      isOk: false,
      text:
        `Archive of labels: the database moves ${textOf(months)} to it, and LABEL_ARCHIVE_MONTHS says ${textOf(wanted)}. `
        + 'Start a process that has the variable and the owner of the database (DATABASE_OWNER_URL).',
    }
  if (!isThere)
    return months === null
      ? { isOk: true, text: 'Archive of labels: off' }
      : {
          isOk: false,
          text:
            'Archive of labels: it is on, and no worker has made it yet. A running worker makes it within an hour; '
            + 'its log says why it cannot.',
        }
  if (months !== null && !isWorking)
    return {
      isOk: false,
      text:
        'Archive of labels: for more than a day no worker has come to the end of the labels that can move. Is a worker running '
        + '(ROLE=all or worker)? Its log says what stops it. A first move of many labels may take longer.',
    }
  return {
    isOk: true,
    text: `Archive of labels: ${textOf(months)} move to it; it has about ${countText(labels, 'label')}`,
  }
}
