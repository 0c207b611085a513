import { sql } from 'kysely'
import type pg from 'pg'
import type { Db, Tx } from '#server/platform/database/database.ts'
import type { PrimaryClient } from '#server/platform/database/primary-client.ts'
import type { ComparedMark } from './rules.ts'

/** The newest beat of a process that is known to be committed. */
export type Beat = { beats: number; beatAt: Date }

/**
 * A commit waits for a standby. Whether one is connected makes no difference, since it waits until then; that the
 * wait was not ended by hand is what the marks prove.
 */
const IS_SYNCHRONOUS = `current_setting('synchronous_standby_names') <> ''
  and current_setting('synchronous_commit') in ('on', 'remote_apply')`

const BEAT = `
  insert into commit_mark (process, is_synchronous) values ($1, ${IS_SYNCHRONOUS})
    on conflict (process) do update
      set beats = commit_mark.beats + 1, beat_at = clock_timestamp(), is_synchronous = excluded.is_synchronous
    returning beats, beat_at as "beatAt"`

/** On a connection of its own: it must not wait for others. */
export async function writeBeat(client: PrimaryClient, process: string): Promise<Beat> {
  const { rows } = (await client.query(BEAT, [process])) as { rows: Beat[] }
  return rows[0]!
}

export async function deleteMark(client: PrimaryClient, process: string): Promise<void> {
  await client.query('delete from commit_mark where process = $1', [process])
}

export async function deleteOldMarks(client: PrimaryClient): Promise<void> {
  await client.query(`delete from commit_mark where beat_at < clock_timestamp() - interval '1 day'`)
}

/** The process's row, and the newest one of all. */
export async function readMark(
  db: Db,
  process: string,
): Promise<{ beats: number | null; newestBeatAt: Date | null }> {
  const { rows } = await sql<{ beats: number | null; newestBeatAt: Date | null }>`
    select max(beats) filter (where process = ${process}) as beats, max(beat_at) as "newestBeatAt" from commit_mark`.execute(
    db,
  )
  return rows[0]!
}

/** Null: the server does not have the process. */
export async function readBeats(
  pool: Pick<pg.Pool, 'query'>,
  process: string,
): Promise<number | null> {
  const { rows } = await pool.query<{ beats: number }>(
    'select beats from commit_mark where process = $1',
    [process],
  )
  return rows[0]?.beats ?? null
}

/** What the process found on the server `identity`. */
export async function recordComparison(
  tx: Tx,
  process: string,
  identity: string,
  isComplete: boolean,
  lostMs: number,
): Promise<void> {
  await sql`
    insert into commit_mark (process, is_synchronous, beat_at, compared_on, is_complete, lost_ms)
      values (${process}, false, coalesce((select max(beat_at) from commit_mark), clock_timestamp()), ${identity}, ${isComplete}, ${lostMs})
      on conflict (process) do update
        set compared_on = excluded.compared_on, is_complete = excluded.is_complete, lost_ms = excluded.lost_ms`.execute(
    tx,
  )
}

/** Longer than a process that runs pauses between two beats. */
const STALE_MS = 10_000

export async function selectMarks(tx: Tx, identity: string): Promise<ComparedMark[]> {
  const { rows } = await sql<ComparedMark>`
    select is_synchronous as "isSynchronous",
        case when compared_on = ${identity} then is_complete end as "isComplete",
        case when compared_on = ${identity} then lost_ms end as "lostMs",
        beat_at < max(beat_at) over () - ${STALE_MS} * interval '1 millisecond' as "isStale"
      from commit_mark`.execute(tx)
  return rows
}
