import { expect, test } from 'vitest'
import { findViolations } from '#server/ledger/service.ts'
import { testDatabase } from '#tests/support/database.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { fillDatabase } from './fill.ts'

const database = await testDatabase()
const select = async (text: string) =>
  (await database.pool.query<Record<string, unknown>>(text)).rows

test('the books of a seeded database balance, also with its carrier', async () => {
  await fillDatabase(database.owner.url, { users: 50, labels: 500 })
  expect(await findViolations(database.db)).toEqual([])
  expect(await findDiscrepancies(database)).toEqual([])
  expect(
    await select(`select (select count(*) from app_user) as users, count(*) as labels, count(distinct user_id) as buyers,
    count(distinct state) as states from shipment_order`),
  ).toEqual([{ users: 50, labels: 500, buyers: 50, states: 3 }])
})

test('every seeded label is in its owner’s list, ordered by time', async () => {
  expect(
    await select(`select 1 from shipment_order o left join order_list_entry e on e.order_id = o.id and e.user_id = o.user_id
      and e.placed_at = o.created_at where e.position is null`),
  ).toEqual([])
  expect(
    await select(`select 1 from (select position - row_number() over (partition by user_id order by placed_at, order_id) as off
      from order_list_entry) places where off <> 0`),
  ).toEqual([])
  expect(
    await select(
      'select 1 from user_order_count t where orders <> (select max(position) from order_list_entry e where e.user_id = t.user_id)',
    ),
  ).toEqual([])
})

test('dropped indexes exist again, and a database with orders is not seeded', async () => {
  expect(
    await select(`select count(*) as missing from (values ('order_list_entry_words'), ('order_queue'), ('transfer_one_capture')) i (name)
    where to_regclass(name) is null`),
  ).toEqual([{ missing: 0 }])
  await expect(fillDatabase(database.url, { users: 1, labels: 10 })).rejects.toThrow(
    'seed an empty one',
  )
})
