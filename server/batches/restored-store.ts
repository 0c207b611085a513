import { sql } from 'kysely'
import type { Tx } from '#server/platform/database.ts'

/** More batches than a house takes between two backups. */
const NUMBERS_SKIPPED = 100_000

/**
 * After a restore: nobody makes files any more, and the time to wait for labels of unknown outcome begins anew. Numbers that were
 * given since the backup stand in bookmarks and file names; no new batch gets one of them.
 */
export async function takeUpBatches(tx: Tx): Promise<void> {
  await sql`update batch set waiting_since = null, work_lease_until = null
    where status in ('processing', 'generating_files', 'retrying_failed') or files_stale`.execute(tx)
  const sequence = sql`pg_get_serial_sequence('batch', 'id')`
  await sql`select setval(${sequence}, nextval(${sequence}) + ${NUMBERS_SKIPPED})`.execute(tx)
}
