import { sql } from 'kysely'
import { LIVE_STATES, SEEN_FOR } from '#server/orders/service.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

/**
 * A submission or retry of a user that refuses repeats takes its turn until its transaction ends, so
 * that it sees the rows of those before it. Those that allow repeats share their turn. Take it
 * before any other lock.
 */
export async function lockSubmissions(
  tx: Tx,
  userId: number,
  { refusesRepeats }: { refusesRepeats: boolean },
): Promise<void> {
  const key = sql`hashtextextended(${`bulk-submission:${userId}`}, 0)`
  await (
    refusesRepeats
      ? sql`select pg_advisory_xact_lock(${key})`
      : sql`select pg_advisory_xact_lock_shared(${key})`
  ).execute(tx)
}

/** The newest bulk order of the file that has live labels, of the last 90 days. */
export async function selectBatchOfFile(
  db: Db,
  userId: number,
  fileHash: string,
): Promise<{ batchId: number; at: Date; labels: number } | undefined> {
  const { rows } = await sql<{ batchId: number; at: Date; labels: number }>`
    select b.id as "batchId", b.accepted_at as at, n.labels
      from batch b
      cross join lateral (select count(*)::int as labels from shipment_order
        where batch_id = b.id and state in ${LIVE_STATES}) n
      where b.user_id = ${userId} and b.file_hash = ${fileHash} and b.accepted_at > now() - ${SEEN_FOR} and n.labels > 0
      order by b.id desc limit 1`.execute(db)
  return rows[0]
}
