/**
 * Which versions of the program may work on a database. The version of a program is the number of its newest migration. Each
 * process holds a shared advisory lock on it for as long as it runs, so a migration that ends the support of older versions
 * finds out whether one is still running. Advisory locks need no rights, and end with their connection.
 */
import type pg from 'pg'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import type { Migration } from './migrate.ts'

/** First key of the advisory locks; the second is the version. */
const PROGRAM_LOCK = 7_301_957

const OLDEST_PROGRAM = /^-- Oldest program: (\d{4})$/m

/** What a migration says in a line such as `-- Oldest program: 0052`; null without one. */
export const statedOldestProgram = (sql: string): number | null => {
  const stated = OLDEST_PROGRAM.exec(sql)?.[1]
  return stated === undefined ? null : Number(stated)
}

/**
 * Says that a program of this version runs, for as long as the connection lasts. It waits for a migration that ends the
 * support of this version: check afterwards with `oldestAllowedProgram`.
 */
export const announceProgram = async (client: pg.ClientBase, version: number): Promise<void> =>
  void (await client.query('select pg_advisory_lock_shared($1, $2)', [PROGRAM_LOCK, version]))

/** The oldest version that may work on this database, and the name of the migration that ended the support of those before. */
export async function oldestAllowedProgram(
  client: pg.ClientBase | pg.Pool,
): Promise<{ version: number; migration: string }> {
  const { rows } = await client.query<{ version: number; migration: string }>(
    `select ${STORED_OLDEST_PROGRAM} as version, name as migration from schema_migration m order by 1 desc limit 1`,
  )
  return rows[0] ?? { version: 0, migration: '' }
}

/** SQL for a row `m` of schema_migration, which programs before this rule made without the column. */
export const STORED_OLDEST_PROGRAM = `coalesce((to_jsonb(m)->>'oldest_program')::int, number)`

/** The database is of a newer program, so no other start of this one succeeds. */
export class ProgramTooOldError extends OperatorError {}

export const tooOldError = (migration: string): ProgramTooOldError =>
  new ProgramTooOldError(
    `This database is newer than this program: it has migration ${migration}. Start the newer Evenpost on it.`,
  )

/** Call it in the migration's transaction, which keeps older programs from starting until it ends. Throws OperatorError. */
export async function refuseOlderPrograms(
  client: pg.ClientBase,
  { name, oldestProgram }: Pick<Migration, 'name' | 'oldestProgram'>,
): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    'select n as version from generate_series(1, $2::int - 1) n where not pg_try_advisory_xact_lock($1, n)',
    [PROGRAM_LOCK, oldestProgram],
  )
  if (rows.length === 0) return
  const versions = rows.map(({ version }) => String(version).padStart(4, '0')).join(', ')
  throw new OperatorError(
    `Migration ${name} removes what older versions of Evenpost use, and one is still running (with migrations up to ${versions}). `
      + 'Stop its processes, then start this one again. Nothing was changed.',
  )
}
