import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { cloneDatabase, testDatabase } from '#tests/support/database.ts'
import { openDatabase } from './database.ts'
import { migrate, pendingMigrations, readMigrations } from './migrate.ts'

const {
  owner: { pool, url },
} = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'evenpost-migrations-'))
for (const part of ['migrations', 'schema/functions', 'schema/triggers'])
  await mkdir(join(folder, part), { recursive: true })
afterAll(() => rm(folder, { recursive: true, force: true }))

const file = (name: string, sql: string) => writeFile(join(folder, 'migrations', name), sql)
const schemaFile = (name: string, sql: string) => writeFile(join(folder, 'schema', name), sql)
const fresh = () =>
  pool.query('drop table if exists schema_migration, repeatable_sql, parcel, event cascade')

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
    '0001_parcel.sql',
    'create table parcel (id int primary key);\ninsert into parcel values (1);\n',
  )
  const both = await Promise.all([migrate(pool, { folder }), migrate(pool, { folder })])
  expect(both.flatMap(({ applied }) => applied)).toEqual(['0001_parcel.sql'])
  await file('0002_event.sql', 'create table event (parcel int references parcel)')
  expect(await pendingMigrations(pool, { folder })).toEqual(['0002_event.sql'])
  expect(await migrate(pool, { folder })).toEqual({
    applied: ['0002_event.sql'],
    version: 2,
    schema: [],
    newer: [],
  })
  expect((await migrate(pool, { folder })).applied).toEqual([])
})

test('a migration that fails leaves nothing behind and names its line', async () => {
  await file(
    '0003_wrong.sql',
    'create table half (id int);\ncreate table half (id int);\n\nselect nonsense;',
  )
  await expect(migrate(pool, { folder })).rejects.toThrow(
    'Migration 0003_wrong.sql failed and was rolled back: relation "half" already exists',
  )
  await file('0003_wrong.sql', 'select 1;\nselect nonsense;')
  await expect(migrate(pool, { folder })).rejects.toThrow('Migration 0003_wrong.sql, line 2 failed')
  const { rows } = await pool.query(
    `select to_regclass('half') as half, (select count(*) from schema_migration) as done`,
  )
  expect(rows).toEqual([{ half: null, done: 2 }])
  await rm(join(folder, 'migrations', '0003_wrong.sql'))
})

test('line ends may differ, but an applied file may not change', async () => {
  await file(
    '0001_parcel.sql',
    'create table parcel (id int primary key);\r\ninsert into parcel values (1);\r\n',
  )
  expect((await migrate(pool, { folder })).applied).toEqual([])
  await file('0001_parcel.sql', 'create table parcel (id bigint primary key);')
  await expect(migrate(pool, { folder })).rejects.toThrow(
    '0001_parcel.sql was changed after it had been applied',
  )
  await file(
    '0001_parcel.sql',
    'create table parcel (id int primary key);\ninsert into parcel values (1);\n',
  )
})

test('functions and triggers are applied in order after the migrations, and again when their text changes', async () => {
  const answers = async () =>
    (await pool.query<{ answer: number }>('select answer() as answer')).rows[0]!.answer
  await schemaFile(
    'triggers/parcel.sql',
    `create or replace trigger on_parcel after insert on parcel for each row execute function on_parcel()`,
  )
  await schemaFile(
    'functions/a.sql',
    `create or replace function answer() returns int language sql as 'select 1';
    create or replace function on_parcel() returns trigger language plpgsql as $$ begin return null; end $$`,
  )
  expect(await pendingMigrations(pool, { folder })).toEqual([
    'functions/a.sql',
    'triggers/parcel.sql',
  ])
  const both = await Promise.all([migrate(pool, { folder }), migrate(pool, { folder })])
  expect(both.flatMap(({ schema }) => schema)).toEqual(['functions/a.sql', 'triggers/parcel.sql'])
  expect(await answers()).toBe(1)

  await schemaFile(
    'functions/a.sql',
    `create or replace function answer() returns int language sql as 'select 2'`,
  )
  expect((await migrate(pool, { folder })).schema).toEqual(['functions/a.sql'])
  expect(await answers()).toBe(2)
  expect((await migrate(pool, { folder })).schema).toEqual([])
})

test('a migration that replaces a table gets its triggers back', async () => {
  await file(
    '0003_parcel.sql',
    'drop table parcel cascade; create table parcel (id bigint primary key)',
  )
  expect(await migrate(pool, { folder })).toEqual({
    applied: ['0003_parcel.sql'],
    version: 3,
    schema: ['functions/a.sql', 'triggers/parcel.sql'],
    newer: [],
  })
  const { rows } = await pool.query(
    `select tgname as name from pg_trigger where tgrelid = 'parcel'::regclass`,
  )
  expect(rows).toEqual([{ name: 'on_parcel' }])
})

test('a function that fails leaves all of them as they were, and names its line', async () => {
  await schemaFile(
    'functions/a.sql',
    `create or replace function answer() returns int language sql as 'select 3'`,
  )
  await schemaFile('triggers/wrong.sql', '-- a comment\nselect nonsense;')
  await expect(migrate(pool, { folder })).rejects.toThrow(
    'server/schema/triggers/wrong.sql, line 2 failed and was rolled back',
  )
  const { rows } = await pool.query('select answer() as answer')
  expect(rows).toEqual([{ answer: 2 }])
  await rm(join(folder, 'schema', 'triggers', 'wrong.sql'))
  await migrate(pool, { folder })
})

test('a file that was away and comes back is applied again', async () => {
  await rm(join(folder, 'schema', 'functions', 'a.sql'))
  await migrate(pool, { folder })
  await pool.query('drop function answer()')
  await schemaFile(
    'functions/a.sql',
    `create or replace function answer() returns int language sql as 'select 3'`,
  )
  expect((await migrate(pool, { folder })).schema).toEqual(['functions/a.sql'])
})

test('after a deadlock with a running process both succeed', async () => {
  await schemaFile(
    'triggers/parcel.sql',
    ['parcel', 'event']
      .map(
        table =>
          `create or replace trigger on_parcel after insert on ${table} for each row execute function on_parcel();`,
      )
      .join('\n'),
  )
  // PostgreSQL looks for a deadlock once in each wait: it finds this one in the wait of the migration, whose time ends first.
  await pool.query(`do $$ begin
    execute format('alter database %I set deadlock_timeout = %L', current_database(), '2s'); end $$`)
  const patient = openDatabase(url, { max: 2 })
  const running = await pool.connect()
  try {
    await running.query(`begin; set local deadlock_timeout = '60s'`)
    await running.query('insert into event values (null)')
    const migrated = migrate(patient.pool, { folder })
    await expect
      .poll(async () => {
        const waiting = `select count(*) as n from pg_locks where relation = 'event'::regclass and not granted`
        return (await pool.query<{ n: number }>(waiting)).rows[0]!.n
      })
      .toBe(1)
    // The migration waits for event and has locked parcel.
    await running.query('insert into parcel values (7)')
    await running.query('commit')
    expect((await migrated).schema).toEqual(['triggers/parcel.sql'])
  } finally {
    running.release(true)
    await patient.close()
  }
})

test('a file outside the known folders of server/schema is refused', async () => {
  await schemaFile('lost.sql', 'select 1')
  await expect(migrate(pool, { folder })).rejects.toThrow(
    'server/schema/lost.sql is in no known folder',
  )
  await rm(join(folder, 'schema', 'lost.sql'))
})

test('a database of an unreleased development version is refused, and nothing in it changes', async () => {
  const { database: old, drop } = await cloneDatabase()
  try {
    await old.owner.pool.query(`drop table repeatable_sql; delete from schema_migration;
      insert into schema_migration (number, name, checksum)
        select n, lpad(n::text, 4, '0') || case n when 1 then '_ledger' else '_other' end || '.sql', 'abc' from generate_series(1, 25) n`)
    const refusal =
      'This database was created by an unreleased development version of Evenpost (it has migration 0001_ledger.sql), '
      + 'and this version cannot use it. Start with a new DATA_DIR, or with an empty database in DATABASE_URL.'
    await expect(migrate(old.owner.pool)).rejects.toThrow(new OperatorError(refusal))
    await expect(pendingMigrations(old.owner.pool)).rejects.toThrow(new OperatorError(refusal))
    const { rows } = await old.owner.pool.query(
      `select count(*) as migrations, to_regclass('repeatable_sql') as repeatable from schema_migration`,
    )
    expect(rows).toEqual([{ migrations: 25, repeatable: null }])
  } finally {
    await drop()
  }
})

test('an older program refuses a newer database', async () => {
  for (const name of ['0002_event.sql', '0003_parcel.sql'])
    await rm(join(folder, 'migrations', name))
  await expect(migrate(pool, { folder })).rejects.toThrow(
    'This database is newer than this program: it has migration 0002_event.sql',
  )
})

test('a gap in the numbers is named', async () => {
  await file('0003_late.sql', 'select 1')
  await expect(readMigrations(folder)).rejects.toThrow(
    'Migration 0003_late.sql should be numbered 0002',
  )
})
