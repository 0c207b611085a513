import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { cloneDatabase } from '#tests/support/database.ts'
import { createNextVersion } from '#tests/support/next-version.ts'
import { migrate, pendingMigrations, readMigrations } from './migrate.ts'
import { announceRunningProgram } from './running-program.ts'

const { database, drop } = await cloneDatabase()
const { pool } = database.owner
const version = (await readMigrations()).length
const number = (more: number): string => String(version + more).padStart(4, '0')

const ADDED = { basket: 'create table basket (a int); insert into basket values (1), (1)' }
const WITH_INDEX = { ...ADDED, index: 'create index concurrently basket_a on basket (a)' }
const [adding, indexing, removing] = await Promise.all([
  createNextVersion(() => ADDED),
  createNextVersion(() => WITH_INDEX),
  createNextVersion(() => ({
    ...WITH_INDEX,
    gone: `-- Oldest program: ${number(2)}\ndrop table basket`,
  })),
])
afterAll(async () => {
  await drop()
  await Promise.all([adding, indexing, removing].map(one => one.forget()))
})

test('a program works on the database of a newer version, and puts back nothing of its own', async () => {
  expect((await migrate(pool, adding)).applied).toEqual(adding.migrations)
  await pool.query(`update repeatable_sql set checksum = 'newer'`)
  expect(await migrate(pool)).toEqual({
    applied: [],
    version,
    schema: [],
    newer: adding.migrations,
  })
  expect(await pendingMigrations(database.pool)).toEqual([])
})

test('an index whose building was interrupted is built at the next start', async () => {
  await expect(
    pool.query('create unique index concurrently basket_a on basket (a)'),
  ).rejects.toThrow('could not create unique index')
  const isValid = async () =>
    (await pool.query(`select indisvalid from pg_index where indexrelid = 'basket_a'::regclass`))
      .rows
  expect(await isValid()).toEqual([{ indisvalid: false }])
  expect((await migrate(pool, indexing)).applied).toEqual([`${number(2)}_index.sql`])
  expect(await isValid()).toEqual([{ indisvalid: true }])

  // The index was built, and the process killed before it was recorded.
  await pool.query('delete from schema_migration where number = $1', [version + 2])
  expect((await migrate(pool, indexing)).applied).toEqual([`${number(2)}_index.sql`])
})

test('what an old version uses is removed only when none of its processes runs, and it cannot start afterwards', async () => {
  const ended: string[] = []
  const announce = (of: number) =>
    announceRunningProgram({
      url: database.url,
      version: of,
      onTooOld: error => ended.push(error.message),
    })
  const old = await announce(version)
  await expect(migrate(pool, removing)).rejects.toThrow(
    `${number(3)}_gone.sql removes what older versions of Evenpost use, and one is still running (with migrations up to ${number(0)})`,
  )
  expect((await pool.query(`select to_regclass('basket')::text as basket`)).rows).toEqual([
    { basket: 'basket' },
  ])

  // Its connection is lost, and until it is back the migration finds no old process.
  const before = await announce(version + 2)
  await old.stop()
  const cutOff = await announce(version + 1)
  await cutConnections(1)
  const refused = `This database is newer than this program: it has migration ${number(3)}_gone.sql`
  await expect
    .poll(() =>
      migrate(pool, removing).then(
        ({ applied }) => applied,
        () => cutConnections(1),
      ),
    )
    .toEqual([`${number(3)}_gone.sql`])
  await expect.poll(() => ended.join()).toContain(refused)
  await expect(announce(version)).rejects.toThrow(refused)
  await expect(migrate(pool)).rejects.toThrow(refused)
  expect(await pendingMigrations(pool, removing)).toEqual([])
  await Promise.all([before.stop(), cutOff.stop()])
})

/** Of processes whose version is this one and `more` migrations. */
async function cutConnections(more: number): Promise<void> {
  const client = new pg.Client(database.owner.url)
  await client.connect()
  await client.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1
      and database = (select oid from pg_database where datname = current_database())`,
    [version + more],
  )
  await client.end()
}
