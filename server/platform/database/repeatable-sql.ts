import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { OperatorError } from '#server/platform/process/operator-error.ts'

/** A file of SQL with the SHA-256 of its text. Line ends are \n: a checkout on Windows gives the same file. */
export type SqlFile = { name: string; sql: string; checksum: string }

/** Functions come before the triggers and rules that use them. schema.sql is generated and not read. */
const ORDER = ['functions', 'triggers', 'invariants', 'check_invariants.sql']

export async function readSqlFile(folder: string, name: string): Promise<SqlFile> {
  const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

/** Reads the functions, triggers and rules of the books in the order in which they are applied. */
export async function readRepeatableSql(folder: string): Promise<SqlFile[]> {
  const names = (await readdir(folder, { recursive: true }))
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.sql') && path !== 'schema.sql')
  const place = (name: string): number => ORDER.indexOf(name.split('/')[0]!)
  const misplaced = names.find(name => place(name) < 0)
  if (misplaced)
    throw new OperatorError(
      `server/schema/${misplaced} is in no known folder: ${ORDER.slice(0, 3).join(', ')}.`,
    )
  const sorted = names.toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
  return Promise.all(sorted.map(name => readSqlFile(folder, name)))
}

/** The files whose text differs from the applied one, or that were never applied. */
export async function findChangedSql(
  client: pg.Pool | pg.PoolClient,
  files: SqlFile[],
): Promise<SqlFile[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from repeatable_sql',
  )
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  return files.filter(({ name, checksum }) => applied.get(name) !== checksum)
}

/** Removes the records of files that are gone, so that a file that comes back is applied again. */
export async function forgetRemovedSql(client: pg.PoolClient, files: SqlFile[]): Promise<void> {
  const names = files.map(({ name }) => name)
  await client.query('delete from repeatable_sql where name <> all ($1)', [names])
}

/** Applies files in their order, in one transaction, and records their checksums. The caller holds the migration lock. */
export async function applyRepeatableSql(client: pg.PoolClient, files: SqlFile[]): Promise<void> {
  await client.query('begin')
  try {
    for (const file of files) await applyFile(client, file)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function applyFile(client: pg.PoolClient, { name, sql, checksum }: SqlFile): Promise<void> {
  try {
    await client.query(sql)
  } catch (error) {
    throw sqlFileError(`server/schema/${name}`, sql, error)
  }
  await client.query(
    `insert into repeatable_sql (name, checksum) values ($1, $2)
      on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
    [name, checksum],
  )
}

/** Names the file and the line of a statement that failed. */
export function sqlFileError(name: string, sql: string, error: unknown): OperatorError {
  const position = Number((error as { position?: string }).position)
  const line = position > 0 ? `, line ${sql.slice(0, position).split('\n').length}` : ''
  return new OperatorError(
    `${name}${line} failed and was rolled back: ${(error as Error).message}`,
    { cause: error },
  )
}
