/**
 * A restored database is out of date: what it records as pending may have been done since. Each
 * database therefore stores its identity. A start that finds another identity treats the database
 * as restored and runs the work that is needed then.
 */
import { sql } from 'kysely'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'

/** Setting: the identity at the last start, or RESTORED_MARK. */
const IDENTITY_KEY = 'database'
const RESTORED_MARK = 'restored'
const RESTORED_AT_KEY = 'restored_at'

/**
 * The server, its timeline (changed by failover and point-in-time recovery), the database, and a
 * table's oid (changed by loading a dump). Restoring a backup of files changes none of these, so
 * the restore sets RESTORED_MARK.
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

export const markRestored = (database: Database): Promise<void> =>
  database.tx(tx => putSetting(tx, IDENTITY_KEY, RESTORED_MARK))

/**
 * Throws OperatorError while a process of Evenpost is connected: it would continue on outdated
 * records.
 */
export async function assertNotRunning({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(`
    select distinct application_name as name from pg_stat_activity
      where datname = current_database() and application_name in ('evenpost', 'evenpost listener')`)
  if (rows.length > 0)
    throw new OperatorError(
      'Evenpost is running on this database. Stop all of its processes first. Nothing was done.',
    )
}

/** `pending`: the next start will treat the database as restored. `at`: when a start last did. */
export async function readRestoreState(db: Db): Promise<{ pending: boolean; at: Date | null }> {
  const [stored, at] = [await findSetting(db, IDENTITY_KEY), await findSetting(db, RESTORED_AT_KEY)]
  return {
    pending: stored !== undefined && stored !== (await readIdentity(db)),
    at: at === undefined ? null : new Date(at),
  }
}

/**
 * Runs `work` when the database was restored since the last start, in one transaction with
 * recording it: of several processes that start together one does it. Returns null when there was
 * nothing to do.
 */
export async function runOnceAfterRestore<T>(
  database: Database,
  work: (tx: Tx) => Promise<T>,
): Promise<T | null> {
  return database.tx(async tx => {
    await sql`set local statement_timeout = 0`.execute(tx)
    const identity = await readIdentity(tx)
    await tx
      .insertInto('app_setting')
      .values({ key: IDENTITY_KEY, value: identity })
      .onConflict(at => at.column('key').doNothing())
      .execute()
    const stored = await tx
      .selectFrom('app_setting')
      .select('value')
      .where('key', '=', IDENTITY_KEY)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const result = stored.value === identity ? null : await work(tx)
    if (stored.value !== identity) {
      await putSetting(tx, IDENTITY_KEY, identity)
      const {
        rows: [clock],
      } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)
      await putSetting(tx, RESTORED_AT_KEY, clock!.now.toISOString())
    }
    return result
  })
}

/** Null when no start found a restored database. */
export async function msSinceRestore(db: Db): Promise<number | null> {
  const {
    rows: [row],
  } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp() - value::timestamptz) * 1000)::float8 as ms
      from app_setting where key = ${RESTORED_AT_KEY}`.execute(db)
  return row?.ms ?? null
}

/** SQL: when a start last found a restored database; null if none did. */
export const restoredAt = sql<Date | null>`(select value::timestamptz from app_setting where key = ${sql.lit(RESTORED_AT_KEY)})`
