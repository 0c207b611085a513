import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { deleteMessages, lockMessages } from './outbox.ts'

const database = await testDatabase()

test('messages are taken without reading through a backlog of rows of bulk orders', async () => {
  await database.pool.query(`
    insert into outbox (user_id, type, data, is_bulk_row)
      select 1, 'label.bought', '{}', n <> 3000 from generate_series(1, 3000) n`)
  await database.owner.pool.query('analyze outbox')
  const { taken, read } = await database.tx(async tx => {
    const messages = await lockMessages(tx, { most: 500, areBulkRows: false, except: [] })
    await deleteMessages(
      tx,
      messages.map(({ id }) => id),
    )
    const { rows } = await sql<{ read: number }>`
      select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables where relname = 'outbox'`.execute(
      tx,
    )
    return { taken: messages.length, read: rows[0]!.read }
  })
  expect(taken).toBe(1)
  expect(read).toBeLessThan(100)
  const lockBulkRows = (except: number[]) =>
    database.tx(tx => lockMessages(tx, { most: 100, areBulkRows: true, except }))
  const first = await lockBulkRows([])
  expect(first).toHaveLength(100)
  expect((await lockBulkRows([first[0]!.id]))[0]!.id).toBe(first[1]!.id)
})
