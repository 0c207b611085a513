import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { OperatorError } from '#server/platform/process/operator-error.ts'

const MIGRATIONS_FOLDER = join(import.meta.dirname, '..', '..', 'migrations')

// Any fixed number will do; it only has to be the same in every process that migrates this database.
const MIGRATION_LOCK = 7_301_955

export type Migration = {
  number: number
  name: string
  sql: string
  /** SHA-256 of the text, with line ends as \n: a checkout on Windows is the same file. */
  checksum: string
}

export type MigrationResult = {
  /** Names of the files applied just now, in order. */
  applied: string[]
  /** Number of the newest one. */
  version: number
}

/** Reads `0001_name.sql`, `0002_name.sql` …; a gap or a repeated number is an error. */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(/^(\d{4})_[a-z0-9_-]+\.sql$/.exec(name)?.[1])
      if (number !== index + 1) {
        throw new OperatorError(
          `Migration ${name} should be numbered ${String(index + 1).padStart(4, '0')}: `
            + 'the files in server/migrations are named 0001_what.sql, 0002_what.sql and so on, without gaps.',
        )
      }
      const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Brings the database to the newest migration: one process at a time, one transaction for each file. Throws when a file that
 * was already applied has changed, or when the database is newer than this program.
 */
export async function migrate(pool: pg.Pool, folder = MIGRATIONS_FOLDER): Promise<MigrationResult> {
  const migrations = await readMigrations(folder)
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('set lock_timeout = 0')
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
    await client.query(`create table if not exists schema_migration (
      number int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`)
    const { rows } = await client.query<{ number: number; name: string; checksum: string }>(
      'select number, name, checksum from schema_migration order by number',
    )
    const done = new Map(rows.map(row => [row.number, row]))
    for (const row of rows) requireKnownMigration(row, migrations)
    const missing = migrations.filter(migration => !done.has(migration.number))
    for (const migration of missing) await applyMigration(client, migration)
    return { applied: missing.map(migration => migration.name), version: migrations.length }
  } finally {
    // Closed, not returned: with it go the lock and the settings.
    client.release(true)
  }
}

/** What a start would do: the names not yet applied. Changes nothing. */
export async function pendingMigrations(
  pool: pg.Pool,
  folder = MIGRATIONS_FOLDER,
): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const {
    rows: [there],
  } = await pool.query<{ there: boolean }>(
    `select to_regclass('schema_migration') is not null as there`,
  )
  if (!there?.there) return migrations.map(migration => migration.name)
  const { rows } = await pool.query<{ number: number }>('select number from schema_migration')
  const done = new Set(rows.map(row => row.number))
  return migrations
    .filter(migration => !done.has(migration.number))
    .map(migration => migration.name)
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

// The house gives up on a statement that takes half a minute; filling a new table from a million rows may take longer.
const MIGRATION_TIMEOUT_MS = 12 * 60 * 60 * 1000

async function applyMigration(
  client: pg.PoolClient,
  { number, name, sql, checksum }: Migration,
): Promise<void> {
  try {
    await client.query('begin')
    await client.query({ text: sql, query_timeout: MIGRATION_TIMEOUT_MS } as pg.QueryConfig)
    await client.query(
      'insert into schema_migration (number, name, checksum) values ($1, $2, $3)',
      [number, name, checksum],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    const position = Number((error as { position?: string }).position)
    const line = position > 0 ? `, line ${sql.slice(0, position).split('\n').length}` : ''
    throw new OperatorError(
      `Migration ${name}${line} failed and was taken back: ${(error as Error).message}`,
      { cause: error },
    )
  }
}
