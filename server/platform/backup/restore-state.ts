/**
 * A database that was put back from a backup believes in a past: what it calls queued may have been bought since. Each database
 * therefore knows who it is. One that finds itself to be another at a start was restored, and everything open is asked about
 * before anything is bought.
 */
import { sql } from 'kysely'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'

/** Setting: which database this is, as of the last start; `MARK` where somebody has said that it was restored. */
const IDENTITY_KEY = 'database'
const RESTORED_MARK = 'restored'
/** Setting: when a start last found that the database had been restored. */
const RESTORED_AT_KEY = 'restored_at'

/**
 * The server, its history since the last fail-over or recovery to a point in time, the database, and a table that any reload of a
 * dump makes anew. A backup of files alone comes back as the same in all of these: whoever restores it leaves the mark.
 */
async function readIdentity(db: Db): Promise<string> {
  const {
    rows: [row],
  } = await sql<{ identity: string }>`
    select concat_ws('/', (select system_identifier from pg_control_system()), left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
      (select oid from pg_database where datname = current_database()), 'app_setting'::regclass::oid) as identity`.execute(
    db,
  )
  return row!.identity
}

async function putSetting(tx: Tx, key: string, value: string): Promise<void> {
  await tx
    .insertInto('app_setting')
    .values({ key, value })
    .onConflict(at => at.column('key').doUpdateSet({ value }))
    .execute()
}

async function findSetting(db: Db, key: string): Promise<string | undefined> {
  return (
    await db.selectFrom('app_setting').select('value').where('key', '=', key).executeTakeFirst()
  )?.value
}

/** Says that this database was restored from a backup: the next start asks about everything open before it buys. */
export const markRestored = (database: Database): Promise<void> =>
  database.tx(tx => putSetting(tx, IDENTITY_KEY, RESTORED_MARK))

/** Throws Trouble while another process of the house is connected: it would go on buying by what it believes. */
export async function assertNotRunning({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(`
    select distinct application_name as name from pg_stat_activity
      where datname = current_database() and application_name in ('evenpost', 'evenpost listener')`)
  if (rows.length > 0)
    throw new OperatorError(
      'Evenpost is running on this database. Stop all of its processes first. Nothing was done.',
    )
}

/** Whether a start is still to come that treats the database as restored, and when one last did. */
export async function readRestoreState(db: Db): Promise<{ pending: boolean; at: Date | null }> {
  const [kept, at] = [await findSetting(db, IDENTITY_KEY), await findSetting(db, RESTORED_AT_KEY)]
  return {
    pending: kept !== undefined && kept !== (await readIdentity(db)),
    at: at === undefined ? null : new Date(at),
  }
}

/**
 * Does `work` when the database was restored since the last start, in one transaction with writing down that it was done; several
 * processes that start together take turns, and it is done once. Null when there was nothing to do.
 */
export async function runOnceAfterRestore<T>(
  database: Database,
  work: (tx: Tx) => Promise<T>,
): Promise<T | null> {
  return database.tx(async tx => {
    // As many labels as may be queued are moved at once.
    await sql`set local statement_timeout = 0`.execute(tx)
    const identity = await readIdentity(tx)
    await tx
      .insertInto('app_setting')
      .values({ key: IDENTITY_KEY, value: identity })
      .onConflict(at => at.column('key').doNothing())
      .execute()
    const kept = await tx
      .selectFrom('app_setting')
      .select('value')
      .where('key', '=', IDENTITY_KEY)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const done = kept.value === identity ? null : await work(tx)
    if (kept.value !== identity) {
      await putSetting(tx, IDENTITY_KEY, identity)
      const {
        rows: [clock],
      } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)
      await putSetting(tx, RESTORED_AT_KEY, clock!.now.toISOString())
    }
    return done
  })
}

/** Milliseconds since a start last found that the database had been restored; null when none ever did. */
export async function msSinceRestore(db: Db): Promise<number | null> {
  const {
    rows: [row],
  } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp() - value::timestamptz) * 1000)::float8 as ms
      from app_setting where key = ${RESTORED_AT_KEY}`.execute(db)
  return row?.ms ?? null
}
