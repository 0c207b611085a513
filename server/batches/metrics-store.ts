import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** How many bulk orders of the house are at work, by status; 'files_stale': ended, and their files are to be made again. */
export async function countUnfinishedBatches(db: Db): Promise<{ status: string; count: number }[]> {
  const { rows } = await sql<{ status: string; count: number }>`
    select case when status in ('processing', 'generating_files', 'retrying_failed') then status else 'files_stale' end as status,
        count(*) as count
      from batch where status in ('processing', 'generating_files', 'retrying_failed') or files_stale
      group by 1`.execute(db)
  return rows
}
