import { expect, test } from 'vitest'
import { openDatabase } from '#server/platform/database/database.ts'
import { testDatabase } from '#tests/support/database.ts'
import {
  markRestored,
  assertNotRunning,
  readRestoreState,
  runOnceAfterRestore,
} from './restore-state.ts'

const database = await testDatabase()
const settle = () => runOnceAfterRestore(database, async () => 'done')

test('neither the first start nor the next ones find a restore', async () => {
  expect(await settle()).toBeNull()
  expect(await settle()).toBeNull()
  expect(await readRestoreState(database.db)).toEqual({ pending: false, at: null })
})

test('a database that was loaded from a dump is recognized as restored', async () => {
  await database.owner.pool.query(`create table reloaded_setting (like app_setting including all);
    insert into reloaded_setting select * from app_setting;
    drop table app_setting; alter table reloaded_setting rename to app_setting;
    grant select, insert, update on app_setting to evenpost_app`)
  expect((await readRestoreState(database.db)).pending).toBe(true)
  expect(await settle()).toBe('done')
  expect(await readRestoreState(database.db)).toEqual({ pending: false, at: expect.any(Date) })
})

test('of two processes that start at once only one does the work after a restore', async () => {
  await markRestored(database)
  const results = await Promise.all([settle(), settle(), settle()])
  expect(results.filter(one => one !== null)).toHaveLength(1)
})

test('when a start fails, the next one does the work after the restore', async () => {
  await markRestored(database)
  await expect(
    runOnceAfterRestore(database, async () => {
      throw new Error('no room')
    }),
  ).rejects.toThrow('no room')
  expect(await settle()).toBe('done')
})

test('a database in use cannot be marked as restored', async () => {
  await assertNotRunning(database)
  const running = openDatabase(database.url, { max: 1 })
  await running.pool.query('select 1')
  await expect(assertNotRunning(database)).rejects.toThrow(
    'Evenpost is running on this database. Stop all of its processes first.',
  )
  await running.close()
})
