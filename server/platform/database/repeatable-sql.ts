import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { OperatorError } from '#server/platform/process/operator-error.ts'

/** `checksum`: SHA-256 of the text with \n as line end, so that a checkout on Windows is equal. */
export type SqlFile = { name: string; sql: string; checksum: string }

/** Functions come before the triggers and rules that use them. schema.sql is generated and not read. */
const GRANTS_FILE = 'grants.sql'
const ORDER = ['functions', 'triggers', 'invariants', 'check_invariants.sql', GRANTS_FILE]
/** The name in grants.sql that is replaced by the server's role. */
const GRANTED_ROLE = /\bevenpost_app\b/g

export const readSqlFile = async (folder: string, name: string): Promise<SqlFile> =>
  toSqlFile(name, await readSqlText(folder, name))

const readSqlText = async (folder: string, name: string): Promise<string> =>
  (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')

const toSqlFile = (name: string, sql: string): SqlFile => ({
  name,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
})

/** `role`: receives the rights of grants.sql, which is left out without one. */
export async function readRepeatableSql(folder: string, role: string | null): Promise<SqlFile[]> {
  const names = (await readdir(folder, { recursive: true }))
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.sql') && path !== 'schema.sql')
    .filter(path => role !== null || path !== GRANTS_FILE)
  const place = (name: string): number => ORDER.indexOf(name.split('/')[0]!)
  const misplaced = names.find(name => place(name) < 0)
  if (misplaced)
    throw new OperatorError(
      `server/schema/${misplaced} is in no known folder: ${ORDER.slice(0, 3).join(', ')}.`,
    )
  const sorted = names.toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
  return Promise.all(
    sorted.map(async name => {
      const text = await readSqlText(folder, name)
      return toSqlFile(name, name === GRANTS_FILE ? grantsFor(text, role!) : text)
    }),
  )
}

const grantsFor = (text: string, role: string): string =>
  text.replace(GRANTED_ROLE, () => pg.escapeIdentifier(role))

/** `role`: of readRepeatableSql. */
export async function findChangedSql(
  client: pg.Pool | pg.PoolClient,
  files: SqlFile[],
  role: string | null,
): Promise<SqlFile[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from repeatable_sql',
  )
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  // A restored database may have lost its rights; a dump has none of the database itself. No role takes rights from itself.
  const {
    rows: [granted],
  } = await client.query<{ isLost: boolean }>(
    `select not has_table_privilege(coalesce($1, current_user), 'repeatable_sql', 'select')
        or (current_user <> $1 and pg_has_role(datdba, 'member') and has_database_privilege($1, datname, 'temporary')) as "isLost"
      from pg_database where datname = current_database()`,
    [role],
  )
  return files.filter(
    ({ name, checksum }) =>
      applied.get(name) !== checksum || (name === GRANTS_FILE && granted!.isLost),
  )
}

/** Removes the records of files that are gone, so that a file that comes back is applied again. */
export async function forgetRemovedSql(client: pg.PoolClient, files: SqlFile[]): Promise<void> {
  const names = [...files.map(({ name }) => name), GRANTS_FILE]
  await client.query('delete from repeatable_sql where name <> all ($1)', [names])
}

const TRIGGER = /^create or replace (?:constraint )?trigger (\w+)\b[^;]*?\bon (\w+)/gim

/** False when a trigger of the file is missing, and for every other file, which locks no table when it is applied. */
export async function hasItsTriggers(client: pg.PoolClient, { sql }: SqlFile): Promise<boolean> {
  const triggers = [...sql.matchAll(TRIGGER)]
  if (triggers.length === 0) return false
  const { rowCount } = await client.query(
    `select from unnest($1::text[], $2::text[]) t (name, of_table)
      join pg_trigger on tgrelid = to_regclass(of_table) and tgname = t.name`,
    [triggers.map(([, name]) => name), triggers.map(([, , table]) => table)],
  )
  return rowCount === triggers.length
}

/** The caller holds the migration lock and a transaction, which is repeated after a deadlock. */
export async function applyRepeatableSql(client: pg.PoolClient, files: SqlFile[]): Promise<void> {
  for (const file of files) await applyFile(client, file)
}

async function applyFile(client: pg.PoolClient, { name, sql, checksum }: SqlFile): Promise<void> {
  await runSqlFile(client, `server/schema/${name}`, sql)
  await client.query(
    `insert into repeatable_sql (name, checksum) values ($1, $2)
      on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
    [name, checksum],
  )
}

// The pool's own limit is half a minute; filling a new table from a million rows may take longer.
const SQL_FILE_TIMEOUT_MS = 12 * 60 * 60 * 1000

/** Throws OperatorError that names the file and the line of the statement that failed. */
export async function runSqlFile(client: pg.PoolClient, name: string, sql: string): Promise<void> {
  try {
    await client.query({ text: sql, query_timeout: SQL_FILE_TIMEOUT_MS } as pg.QueryConfig)
  } catch (error) {
    const position = Number((error as { position?: string }).position)
    const line = position > 0 ? `, line ${sql.slice(0, position).split('\n').length}` : ''
    throw new OperatorError(
      `${name}${line} failed and was rolled back: ${(error as Error).message}`,
      { cause: error },
    )
  }
}
