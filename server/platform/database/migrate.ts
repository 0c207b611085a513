import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { PROJECT_FOLDER } from '#server/platform/process/project-folder.ts'
import {
  applyRepeatableSql,
  findChangedSql,
  forgetRemovedSql,
  readRepeatableSql,
  readSqlFile,
  runSqlFile,
} from './repeatable-sql.ts'
import type { SqlFile } from './repeatable-sql.ts'

/** Contains `migrations/` and `schema/`. */
const SERVER_FOLDER = join(PROJECT_FOLDER, 'server')

// An arbitrary number. It must be the same in every process that migrates this database.
const MIGRATION_LOCK = 7_301_955

const MIGRATION_TABLE = `create table if not exists schema_migration (
  number int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`
const REPEATABLE_TABLE = `create table if not exists repeatable_sql (
  name text primary key, checksum text not null, applied_at timestamptz not null default now())`

export type MigrationOptions = {
  /** The role that server/schema/grants.sql gives its rights to. Null: it is not applied. */
  role?: string | null
  folder?: string
}

export type Migration = SqlFile & { number: number }

export type MigrationResult = {
  /** Migrations applied just now, in order. */
  applied: string[]
  /** Number of the newest migration. */
  version: number
  /** Files of server/schema/ applied just now, in order. */
  schema: string[]
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
      return { number, ...(await readSqlFile(migrations, name)) }
    }),
  )
}

/**
 * Brings the database to the newest migration, one process at a time and one transaction for each file, then applies
 * server/schema/ where it has changed. Throws when an applied migration has changed, when the database is newer than this
 * program, or when an unreleased development version created it. `pool`: connections of the owner.
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
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
    await client.query(MIGRATION_TABLE)
    const missing = await findMissing(client, migrations)
    await client.query(REPEATABLE_TABLE)
    for (const migration of missing) await applyMigration(client, migration)
    // A migration may have replaced a table and dropped its triggers with it.
    const changed =
      missing.length > 0 ? repeatables : await findChangedSql(client, repeatables, role)
    if (changed.length > 0) await applyRepeatableSql(client, changed)
    await forgetRemovedSql(client, repeatables)
    return {
      applied: missing.map(({ name }) => name),
      version: migrations.length,
      schema: changed.map(({ name }) => name),
    }
  } finally {
    // Closed, not returned to the pool: this also ends the lock and the settings.
    client.release(true)
  }
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
  const missing = exists?.migrations ? await findMissing(pool, migrations) : migrations
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

/** The migrations that are not applied yet. Throws when the applied ones are not those of this program. */
async function findMissing(
  client: pg.Pool | pg.PoolClient,
  migrations: Migration[],
): Promise<Migration[]> {
  const { rows } = await client.query<{ number: number; name: string; checksum: string }>(
    'select number, name, checksum from schema_migration order by number',
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
  for (const row of rows) requireKnownMigration(row, migrations)
  const applied = new Set(rows.map(({ number }) => number))
  return migrations.filter(({ number }) => !applied.has(number))
}

function requireKnownMigration(
  row: { number: number; name: string; checksum: string },
  migrations: Migration[],
): void {
  const file = migrations[row.number - 1]
  if (!file) {
    throw new OperatorError(
      `This database is newer than this program: it has migration ${row.name}. Start the newer Evenpost on it.`,
    )
  }
  if (file.checksum !== row.checksum) {
    throw new OperatorError(
      `Migration ${file.name} was changed after it had been applied. Put the file back as it was, and write the `
        + 'change as a new migration with the next number.',
    )
  }
}

async function applyMigration(
  client: pg.PoolClient,
  { number, name, sql, checksum }: Migration,
): Promise<void> {
  await client.query('begin')
  try {
    await runSqlFile(client, `Migration ${name}`, sql)
    await client.query(
      'insert into schema_migration (number, name, checksum) values ($1, $2, $3)',
      [number, name, checksum],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
