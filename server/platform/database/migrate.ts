import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { PROJECT_FOLDER } from '#server/platform/process/project-folder.ts'
import { applyMigration, LAST_MIGRATION_ALONE, withBriefLocks } from './apply-migration.ts'
import { STORED_OLDEST_PROGRAM, statedOldestProgram, tooOldError } from './program-version.ts'
import {
  applyRepeatableSql,
  findChangedSql,
  forgetRemovedSql,
  hasItsTriggers,
  readRepeatableSql,
  readSqlFile,
} from './repeatable-sql.ts'
import type { SqlFile } from './repeatable-sql.ts'

/** Contains `migrations/` and `schema/`. */
const SERVER_FOLDER = join(PROJECT_FOLDER, 'server')

// An arbitrary number. It must be the same in every process that migrates this database.
const MIGRATION_LOCK = 7_301_955

const MIGRATION_TABLE = `create table if not exists schema_migration (
  number int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now(),
  oldest_program int)`
const REPEATABLE_TABLE = `create table if not exists repeatable_sql (
  name text primary key, checksum text not null, applied_at timestamptz not null default now())`

export type MigrationOptions = {
  /** The role that server/schema/grants.sql gives its rights to. Null: it is not applied. */
  role?: string | null
  folder?: string
}

/** `oldestProgram`: the oldest version that may work on a database with it; 0 if every version before it may. */
export type Migration = SqlFile & { number: number; oldestProgram: number }

export type MigrationResult = {
  /** Migrations applied just now, in order. */
  applied: string[]
  /** Number of the newest migration. */
  version: number
  /** Files of server/schema/ applied just now, in order. */
  schema: string[]
  /** Migrations of a newer version, on whose database this one may work. */
  newer: string[]
}

/** Reads `0001_name.sql`, `0002_name.sql` …; a gap or a repeated number is an error. */
export async function readMigrations(folder = SERVER_FOLDER): Promise<Migration[]> {
  const migrations = join(folder, 'migrations')
  const names = (await readdir(migrations)).filter(name => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(/^(\d{4})_[a-z0-9_-]+\.sql$/.exec(name)?.[1])
      if (number !== index + 1) {
        throw new OperatorError(
          `Migration ${name} should be numbered ${String(index + 1).padStart(4, '0')}: `
            + 'the files in server/migrations are named 0001_what.sql, 0002_what.sql and so on, without gaps.',
        )
      }
      const file = await readSqlFile(migrations, name)
      const stated = statedOldestProgram(file.sql)
      const oldestProgram = stated ?? (number <= LAST_MIGRATION_ALONE ? number : 0)
      return { number, oldestProgram, ...file }
    }),
  )
}

/**
 * Brings the database to the newest migration, one process at a time and one transaction for each file, then applies
 * server/schema/ where it has changed. Changes nothing in the database of a newer version. Throws when an applied migration has
 * changed, when a newer version has ended the support of this one, or when an unreleased development version created the
 * database. `pool`: connections of the owner.
 */
export async function migrate(
  pool: pg.Pool,
  { role = null, folder = SERVER_FOLDER }: MigrationOptions = {},
): Promise<MigrationResult> {
  const migrations = await readMigrations(folder)
  const repeatables = await readRepeatableSql(join(folder, 'schema'), role)
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('set lock_timeout = 0')
    await takeMigrationLock(client)
    await createMigrationTable(client)
    const { missing, newer } = await compareWithApplied(client, migrations)
    if (newer.length > 0) return { applied: [], version: migrations.length, schema: [], newer }
    await client.query(REPEATABLE_TABLE)
    for (const migration of missing) await applyMigration(client, migration)
    // A migration may have replaced a table and dropped its triggers with it. Triggers that are there are left alone: they
    // lock their tables.
    const outdated = new Set(await findChangedSql(client, repeatables, role))
    const changed: SqlFile[] = []
    for (const file of repeatables) {
      const isWhole = missing.length === 0 || (await hasItsTriggers(client, file))
      if (outdated.has(file) || !isWhole) changed.push(file)
    }
    if (changed.length > 0)
      await withBriefLocks(client, 'server/schema', () => applyRepeatableSql(client, changed))
    await forgetRemovedSql(client, repeatables)
    return {
      applied: missing.map(({ name }) => name),
      version: migrations.length,
      schema: changed.map(({ name }) => name),
      newer,
    }
  } finally {
    // Closed, not returned to the pool: this also ends the lock and the settings.
    client.release(true)
  }
}

const LOCK_PAUSE_MS = 100

/** Asks again and again: a statement that waits in the database would be waited for by an index that is built concurrently. */
async function takeMigrationLock(client: pg.PoolClient): Promise<void> {
  for (;;) {
    const {
      rows: [row],
    } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(${MIGRATION_LOCK}) as taken`,
    )
    if (row!.taken) return
    await wait(LOCK_PAUSE_MS)
  }
}

async function createMigrationTable(client: pg.PoolClient): Promise<void> {
  await client.query(MIGRATION_TABLE)
  const { rowCount } = await client.query(
    `select 1 from pg_attribute where attrelid = 'schema_migration'::regclass and attname = 'oldest_program'`,
  )
  if (rowCount === 0)
    await client.query('alter table schema_migration add column oldest_program int')
}

/** Names of the migrations and of the files of server/schema/ that a start would apply. Changes nothing. */
export async function pendingMigrations(
  pool: pg.Pool,
  { role = null, folder = SERVER_FOLDER }: MigrationOptions = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const repeatables = await readRepeatableSql(join(folder, 'schema'), role)
  const {
    rows: [exists],
  } = await pool.query<{ migrations: boolean; repeatables: boolean }>(
    `select to_regclass('schema_migration') is not null as migrations,
      to_regclass('repeatable_sql') is not null as repeatables`,
  )
  const { missing, newer } = exists?.migrations
    ? await compareWithApplied(pool, migrations)
    : { missing: migrations, newer: [] }
  if (newer.length > 0) return []
  const changed = exists?.repeatables ? await findChangedSql(pool, repeatables, role) : repeatables
  return [...missing, ...changed].map(({ name }) => name)
}

/** The first migration that has another name here: unreleased development versions numbered their files differently. */
export function findDevelopmentMigration(
  names: string[],
  migrations: Migration[],
): string | undefined {
  const ours = new Map(migrations.map(({ number, name }) => [number, name]))
  return names.find(name => {
    const expected = ours.get(Number.parseInt(name, 10))
    return expected !== undefined && expected !== name
  })
}

type AppliedMigration = { number: number; name: string; checksum: string; oldestProgram: number }

/**
 * The migrations that are not applied yet, and the names of those that only a newer version knows. Throws when the applied
 * ones are not those of this program.
 */
async function compareWithApplied(
  client: pg.Pool | pg.PoolClient,
  migrations: Migration[],
): Promise<{ missing: Migration[]; newer: string[] }> {
  const { rows } = await client.query<AppliedMigration>(
    `select number, name, checksum, ${STORED_OLDEST_PROGRAM} as "oldestProgram" from schema_migration m order by number`,
  )
  const development = findDevelopmentMigration(
    rows.map(({ name }) => name),
    migrations,
  )
  if (development) {
    throw new OperatorError(
      `This database was created by an unreleased development version of Evenpost (it has migration ${development}), `
        + 'and this version cannot use it. Start with a new DATA_DIR, or with an empty database in DATABASE_URL.',
    )
  }
  for (const row of rows) requireSupportedMigration(row, migrations)
  const applied = new Set(rows.map(({ number }) => number))
  return {
    missing: migrations.filter(({ number }) => !applied.has(number)),
    newer: rows.filter(({ number }) => number > migrations.length).map(({ name }) => name),
  }
}

function requireSupportedMigration(row: AppliedMigration, migrations: Migration[]): void {
  const file = migrations[row.number - 1]
  if (!file) {
    if (row.oldestProgram > migrations.length) throw tooOldError(row.name)
    return
  }
  if (file.checksum !== row.checksum) {
    throw new OperatorError(
      `Migration ${file.name} was changed after it had been applied. Put the file back as it was, and write the `
        + 'change as a new migration with the next number.',
    )
  }
}
