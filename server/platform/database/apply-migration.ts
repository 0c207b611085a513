/**
 * How a migration is applied while programs work on the database: no statement of theirs waits for it longer than for another
 * order (docs/decisions/0064-two-versions-on-one-database.md).
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { isLockProblem } from './brief-step.ts'
import type { Migration } from './migrate.ts'
import { refuseOlderPrograms } from './program-version.ts'
import { runSqlFile } from './repeatable-sql.ts'

/** Later migrations are applied beside running programs; those up to this one need an upgrade without any. */
export const LAST_MIGRATION_ALONE = 47

// Orders wait behind a migration that waits for a lock; after this time they go on, and it tries again.
const LOCK_TIMEOUT_MS = 1_500
// Below the 15 s that a statement of a program waits for a lock.
const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_ATTEMPTS = 120
const PAUSE_MS = 1_000

/**
 * Runs `work` in a transaction that waits briefly for each lock, and repeats it when a lock was not to be had. `name` is in the
 * OperatorError after the last attempt, about four minutes later.
 */
export async function withBriefLocks(
  client: pg.PoolClient,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await client.query('begin')
    try {
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (!isLockProblem((error as Error).cause)) throw error
      if (attempt === LOCK_ATTEMPTS)
        throw new OperatorError(
          `${name} got no lock on its tables in ${LOCK_ATTEMPTS} attempts: another connection keeps them, such as a pg_dump. `
            + 'Nothing was changed. Start again when it has ended.',
          { cause: error },
        )
    }
    await wait(PAUSE_MS * Math.random())
  }
}

/** In one transaction with its record, except for an index that is built beside running orders. */
export async function applyMigration(client: pg.PoolClient, migration: Migration): Promise<void> {
  const { number, name, sql, checksum, oldestProgram } = migration
  const record = async (): Promise<void> => {
    await client.query(
      'insert into schema_migration (number, name, checksum, oldest_program) values ($1, $2, $3, $4)',
      [number, name, checksum, oldestProgram],
    )
  }
  if (number <= LAST_MIGRATION_ALONE) {
    await client.query('begin')
    try {
      await runSqlFile(client, `Migration ${name}`, sql)
      await record()
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
    return
  }
  const index = concurrentIndex(sql)
  if (index !== null) {
    await buildIndex(client, index, migration)
    return record()
  }
  await withBriefLocks(client, `Migration ${name}`, async () => {
    await client.query(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`)
    await refuseOlderPrograms(client, migration)
    await runSqlFile(client, `Migration ${name}`, sql)
    await record()
  })
}

const CONCURRENT_INDEX =
  /^(?:\s|--.*\n)*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/i

/** Name of the index that a file builds with CREATE INDEX CONCURRENTLY, which cannot run in a transaction; null for others. */
export const concurrentIndex = (sql: string): string | null =>
  CONCURRENT_INDEX.exec(sql)?.[1] ?? null

/** A process that was killed meanwhile leaves an index that is not valid, or one that is not recorded yet. */
async function buildIndex(
  client: pg.PoolClient,
  index: string,
  { name, sql }: Migration,
): Promise<void> {
  const {
    rows: [found],
  } = await client.query<{ isValid: boolean }>(
    'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)',
    [index],
  )
  if (found?.isValid) return
  if (found) await client.query(`drop index concurrently ${pg.escapeIdentifier(index)}`)
  await runSqlFile(client, `Migration ${name}`, sql)
}
