import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'

/** More batches than a house takes between two backups. */
const BATCH_SEQUENCE_GAP = 100_000

/** How long a batch may change after its end: carriers take labels back for 30 days. */
const SETTLED_AFTER = "interval '60 days'"

/**
 * After a restore: nobody makes files any more, and the time to wait for labels of unknown outcome begins anew. Files may be of a later
 * time than the rows, in a bucket above all: those of batches that may have changed since the backup are made again. Numbers that
 * were given since stand in bookmarks and file names; no new batch gets one of them.
 */
export async function resetBatchesAfterRestore(tx: Tx): Promise<void> {
  await sql`update batch set only_unknown_since = null, work_lease_until = null
    where status in ('processing', 'generating_files', 'retrying_failed') or files_stale`.execute(
    tx,
  )
  await sql`update batch set files_stale = true
    where result_name is not null and updated_at > (select max(updated_at) from batch) - ${sql.raw(SETTLED_AFTER)}`.execute(
    tx,
  )
  const sequence = sql`pg_get_serial_sequence('batch', 'id')`
  await sql`select setval(${sequence}, nextval(${sequence}) + ${BATCH_SEQUENCE_GAP})`.execute(tx)
}
