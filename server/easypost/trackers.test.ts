import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { findLabels } from './trackers.ts'

const database = await testDatabase()

test('a transaction whose connection is lost is asked for nothing more than its rollback', async () => {
  const sent: string[] = []
  const read = database.tx(async tx => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid])
    sent.length = 0
    await findLabels(tx, [1])
  })
  database.pool.on('acquire', client => {
    const { query } = client
    client.query = ((...given: Parameters<typeof query>) => {
      sent.push(String(given[0]))
      return query.apply(client, given)
    }) as typeof query
  })
  await expect(read).rejects.toThrow()
  expect(sent).toEqual([expect.stringContaining('shipment_order'), 'rollback'])
})
