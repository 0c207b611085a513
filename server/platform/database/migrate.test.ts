import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { migrate, pendingMigrations, readMigrations } from './migrate.ts'

const { pool } = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'evenpost-migrations-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const file = (name: string, sql: string) => writeFile(join(folder, name), sql)
const fresh = () => pool.query('drop table if exists schema_migration, shelf, box')

test('our own migrations were applied when this database was made', async () => {
  expect(await pendingMigrations(pool)).toEqual([])
  const { rows } = await pool.query<{ name: string }>(
    'select name from schema_migration order by number',
  )
  expect(rows.map(row => row.name)).toEqual(
    (await readMigrations()).map(migration => migration.name),
  )
})

test('files are applied in order and once, also when two processes start together', async () => {
  await fresh()
  await file(
    '0001_shelf.sql',
    'create table shelf (id int primary key);\ninsert into shelf values (1);\n',
  )
  const both = await Promise.all([migrate(pool, folder), migrate(pool, folder)])
  expect(both.flatMap(({ applied }) => applied)).toEqual(['0001_shelf.sql'])
  await file('0002_box.sql', 'create table box (shelf int references shelf)')
  expect(await pendingMigrations(pool, folder)).toEqual(['0002_box.sql'])
  expect(await migrate(pool, folder)).toEqual({ applied: ['0002_box.sql'], version: 2 })
  expect(await migrate(pool, folder)).toEqual({ applied: [], version: 2 })
})

test('a migration that fails leaves nothing behind and names its line', async () => {
  await file(
    '0003_wrong.sql',
    'create table half (id int);\ncreate table half (id int);\n\nselect nonsense;',
  )
  await expect(migrate(pool, folder)).rejects.toThrow(
    'Migration 0003_wrong.sql failed and was taken back: relation "half" already exists',
  )
  await file('0003_wrong.sql', 'select 1;\nselect nonsense;')
  await expect(migrate(pool, folder)).rejects.toThrow('Migration 0003_wrong.sql, line 2 failed')
  const { rows } = await pool.query(
    `select to_regclass('half') as half, (select count(*) from schema_migration) as done`,
  )
  expect(rows).toEqual([{ half: null, done: 2 }])
  await rm(join(folder, '0003_wrong.sql'))
})

test('line ends may differ, but an applied file may not change', async () => {
  await file(
    '0001_shelf.sql',
    'create table shelf (id int primary key);\r\ninsert into shelf values (1);\r\n',
  )
  expect((await migrate(pool, folder)).applied).toEqual([])
  await file('0001_shelf.sql', 'create table shelf (id bigint primary key);')
  await expect(migrate(pool, folder)).rejects.toThrow(
    '0001_shelf.sql was changed after it had been applied',
  )
})

test('an older program refuses a newer database', async () => {
  await file(
    '0001_shelf.sql',
    'create table shelf (id int primary key);\ninsert into shelf values (1);\n',
  )
  await rm(join(folder, '0002_box.sql'))
  await expect(migrate(pool, folder)).rejects.toThrow(
    'This database is newer than this program: it has migration 0002_box.sql',
  )
})

test('a gap in the numbers is named', async () => {
  await file('0003_late.sql', 'select 1')
  await expect(readMigrations(folder)).rejects.toThrow(
    'Migration 0003_late.sql should be numbered 0002',
  )
})
