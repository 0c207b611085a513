import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'

/**
 * The start of the oldest writing transaction, or now. A transaction's ids are assigned after its start, so no transfer from before
 * that moment becomes visible later. Read it before the statement that uses it, in the same transaction.
 */
export async function selectCompleteBefore(tx: Tx): Promise<string> {
  const { rows } = await sql<{ before: string }>`
    select least(now(), min(coalesce(a.xact_start, '-infinity')))::text as before
      from pg_locks l join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
      where l.relation = 'transfer'::regclass and l.mode = 'RowExclusiveLock'`.execute(tx)
  return rows[0]!.before
}

/** Takes the lock of stored sums; waits for no one: false while another transaction has it. Held until the transaction ends. */
export async function tryLock(tx: Tx, name: string): Promise<boolean> {
  const { rows } = await sql<{ acquired: boolean }>`
    select pg_try_advisory_xact_lock(hashtext(${name})) as acquired`.execute(tx)
  return rows[0]!.acquired
}
