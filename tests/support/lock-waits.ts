import { expect } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'

/** Waits until `many` sessions wait for a lock of `pid`, directly or behind another. */
export async function expectWaiting(
  { pool }: Pick<Database, 'pool'>,
  pid: number,
  many: number,
): Promise<void> {
  const count = async () =>
    (
      await pool.query<{ n: number }>(
        `
    with recursive behind (pid) as (
      select $1::int union select a.pid from pg_stat_activity a join behind b on b.pid = any(pg_blocking_pids(a.pid)))
    select count(*)::int - 1 as n from behind`,
        [pid],
      )
    ).rows[0]!.n
  await expect.poll(count).toBe(many)
}
