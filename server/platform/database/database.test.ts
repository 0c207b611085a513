import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { databaseCode, openDatabase, parseInt8, queryWithTimeout } from './database.ts'
import type { Tx } from './database.ts'

const { owner: database } = await testDatabase() // it makes a table
await database.pool.query('create table purse (id int primary key, cents bigint not null)')
await database.pool.query('insert into purse values (1, 100), (2, 100)')

const take = (tx: Tx, id: number, cents: number) =>
  sql`update purse set cents = cents - ${cents} where id = ${id}`.execute(tx)
const cents = async () => {
  const { rows } = await sql<{ cents: number }>`select cents from purse order by id`.execute(
    database.db,
  )
  return rows.map(row => row.cents)
}

test('a bigint is read as a number, and one too large to be exact is refused', async () => {
  expect(await cents()).toEqual([100, 100])
  expect(() => parseInt8('9007199254740993')).toThrow('9007199254740993')
  const { rows } = await database.pool.query(
    `select array[1, 2]::bigint[] as list, date '2026-11-20' as day`,
  )
  expect(rows).toEqual([{ list: [1, 2], day: '2026-11-20' }])
})

test('a database that is opened before its server is known connects once it is named', async () => {
  const early = openDatabase('')
  await expect(early.pool.query('select 1')).rejects.toThrow('is not known yet')
  early.useServer(database.url)
  expect(early.url).toBe(database.url)
  expect((await early.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await early.close()
})

test('a transaction that fails leaves nothing behind', async () => {
  await expect(
    database.tx(async tx => {
      await take(tx, 1, 50)
      throw new Error('the carrier is on fire')
    }),
  ).rejects.toThrow('the carrier is on fire')
  expect(await cents()).toEqual([100, 100])
})

test('of two transactions in a deadlock both succeed, one of them on its second attempt', async () => {
  let attempts = 0
  const bothHoldOne = Promise.withResolvers<void>()
  let holding = 0
  const cross = (first: number, second: number) =>
    database.tx(async tx => {
      attempts++
      await take(tx, first, 10)
      if (++holding === 2) bothHoldOne.resolve()
      await bothHoldOne.promise
      await take(tx, second, 10)
    })
  await Promise.all([cross(1, 2), cross(2, 1)])
  expect(attempts).toBe(3)
  expect(await cents()).toEqual([80, 80])
})

test('an error of the database has its code, any other error has none', async () => {
  const error = await database.pool
    .query('insert into purse values ($1, $2)', [1, 5])
    .catch((reason: unknown) => reason)
  expect(databaseCode(error)).toBe('23505')
  expect(databaseCode(Object.assign(new Error(), { code: 'EPIPE' }))).toBeUndefined()
})

test('a statement with other values is prepared once and executed each time', async () => {
  for (const id of [1, 2, 3]) {
    const { rowCount } = await database.pool.query('select 1 from purse where id = $1', [id])
    expect(rowCount).toBe(id < 3 ? 1 : 0)
  }
})

test('a long query has a time limit of its own and leaves the connection unchanged', async () => {
  const before = await cents()
  // With the limits of the program: a test database has longer ones.
  const own = openDatabase(database.url, { max: 2 })
  try {
    const limit = `select current_setting('statement_timeout') as ms, pg_backend_pid() as pid`
    const [asked] = await queryWithTimeout<{ ms: string; pid: number }>(own, limit, 120_000)
    expect(asked!.ms).toBe('2min')
    expect((await own.pool.query(limit)).rows).toEqual([{ ms: '30s', pid: asked!.pid }])
    await expect(queryWithTimeout(own, 'select pg_sleep(60)', 20)).rejects.toThrow(
      'canceling statement due to statement timeout',
    )
    await expect(queryWithTimeout(own, 'update purse set cents = 0', 20_000)).rejects.toThrow(
      'read-only transaction',
    )
    expect(own.pool.totalCount).toBe(own.pool.idleCount)
  } finally {
    await own.close()
  }
  expect(await cents()).toEqual(before)
})

test('a connection of the program waits only so long for a lock, and for the next statement of a transaction', async () => {
  const own = openDatabase(database.url, { max: 1 })
  try {
    const { rows } = await own.pool.query(
      `select current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`,
    )
    expect(rows).toEqual([{ lock: '15s', idle: '10s' }])
  } finally {
    await own.close()
  }
})

test('a lost connection is told while the program runs, and not after its end', async () => {
  const said: string[] = []
  const opened = openDatabase(database.url, { max: 1, log: line => void said.push(line) })
  const { rows } = await opened.pool.query<{ id: number }>('select pg_backend_pid() as id')
  await database.pool.query('select pg_terminate_backend($1)', [rows[0]!.id])
  await expect.poll(() => said).toHaveLength(1)
  expect(said[0]).toContain('A database connection was lost: terminating connection')
  await opened.close()
  opened.pool.emit('error', new Error('terminating connection'), undefined as never)
  expect(said).toHaveLength(1)
})

test('lists arrive in the database as they were sent', async () => {
  const texts = [
    '',
    ' a, b ',
    'NULL',
    '{1,2}',
    'say "hi"',
    String.raw`C:\temp\"x"`,
    'two\nlines\ttabbed',
    "it's",
    'Muñoz 😀',
    null,
  ]
  const numbers = [0, -1, 1.5, Number.MAX_SAFE_INTEGER, null, 1e21, Number.NaN, -Infinity]
  const times = [new Date('2026-11-20T10:00:00.123Z'), null]
  const nested = [
    ['a', '"'],
    [String.raw`\ `, null],
  ]
  const { rows } = await database.pool.query(
    `select $1::text[] as texts, $2::float8[] as numbers, $3::boolean[] as flags, $4::timestamptz[] as times, $5::text[] as nested,
       $6::int[] as none, $7::bigint[] as big, $8::bytea[] as bytes`,
    [
      texts,
      numbers,
      [true, null, false],
      times,
      nested,
      [],
      [9_007_199_254_740_991n],
      [Buffer.from([0, 34, 92, 255])],
    ],
  )
  expect(rows[0]).toEqual({
    texts,
    numbers,
    flags: [true, null, false],
    times,
    nested,
    none: [],
    big: [Number.MAX_SAFE_INTEGER],
    bytes: [Buffer.from([0, 34, 92, 255])],
  })
})
