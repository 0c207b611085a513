/**
 * A restored database is out of date: what it records as pending may have been done since. Each
 * database therefore stores its identity. A start that finds another identity treats the database
 * as restored and runs the work that is needed then.
 */
import { sql } from 'kysely'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import { findSetting, putSetting } from '#server/platform/database/settings.ts'
import type { Decision } from '#server/platform/fail-over/rules.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'

/** Setting: the identity at the last start, or RESTORED_MARK. */
const IDENTITY_KEY = 'database'
const RESTORED_MARK = 'restored'
const RESTORED_AT_KEY = 'restored_at'
/** Setting: the identity of a promoted server on which nothing was missing. */
const CONTINUED_KEY = 'continued_on'

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

/** `same`: nothing has changed, or another process has settled it. */
export type SettledIdentity<T> =
  | { was: 'same' | 'wait'; identity: string }
  | { was: 'continue'; identity: string }
  | { was: 'restore'; identity: string; result: T }

/** `before`: the identity at the last start, or RESTORED_MARK. */
export type IdentityChange = { before: string; now: string }

/**
 * When the database is another one than at the last start, `decide` says whether work just goes on
 * there, or `work` is done first; in one transaction with recording it: of several processes that start
 * together one does it.
 */
export async function settleIdentity<T>(
  database: Database,
  decide: (tx: Tx, change: IdentityChange) => Promise<Decision>,
  work: (tx: Tx) => Promise<T>,
): Promise<SettledIdentity<T>> {
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
    if (stored.value === identity) return { was: 'same', identity }
    const was = await decide(tx, { before: stored.value, now: identity })
    if (was === 'wait') return { was, identity }
    await putSetting(tx, IDENTITY_KEY, identity)
    if (was === 'continue') {
      await putSetting(tx, CONTINUED_KEY, identity)
      return { was, identity }
    }
    await putSetting(tx, CONTINUED_KEY, 'no')
    const result = await work(tx)
    const {
      rows: [clock],
    } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)
    await putSetting(tx, RESTORED_AT_KEY, clock!.now.toISOString())
    return { was, identity, result }
  })
}

/**
 * Runs `work` when the database was restored since the last start. Returns null when there was
 * nothing to do.
 */
export async function runOnceAfterRestore<T>(
  database: Database,
  work: (tx: Tx) => Promise<T>,
): Promise<T | null> {
  const settled = await settleIdentity(database, async () => 'restore', work)
  return settled.was === 'restore' ? settled.result : null
}

/** Work went on there without anything being asked: nothing was missing. */
export const wasContinued = async (db: Db, identity: string): Promise<boolean> =>
  (await findSetting(db, CONTINUED_KEY)) === identity

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
