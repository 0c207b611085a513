import { expect, test } from 'vitest'
import { findViolations } from '#server/ledger/service.ts'
import { testDatabase } from '#tests/support/database.ts'
import { fillDatabase } from './fill.ts'

const database = await testDatabase()
const select = async (text: string) =>
  (await database.pool.query<Record<string, unknown>>(text)).rows

test('a shop’s labels come on working days, and its deposits before the money is needed', async () => {
  await fillDatabase(database.owner.url, {
    users: 20,
    labels: 3_000,
    largest: 1_500,
    batchRows: 12,
    rhythm: 'weekly',
    // A Wednesday, before its first label.
    from: new Date('2026-03-04T00:20:00Z'),
  })
  expect(await findViolations(database.db)).toEqual([])
  const [days] = await select(`with per_day as (
      select created_at::date as day, count(*) as labels from shipment_order where user_id = (select min(user_id) from shipment_order)
        group by 1)
    select max(labels) <= 50 as "noneTooMany", min(labels) filter (where extract(isodow from day) < 6) >= 4 as "alwaysSome",
      sum(labels) filter (where extract(isodow from day) > 5) < 0.1 * sum(labels) as "fewAtWeekends" from per_day`)
  expect(days).toEqual({ noneTooMany: true, alwaysSome: true, fewAtWeekends: true })
  expect(
    await select(`select owner_id, at, balance from (
        select t.owner_id, t.created_at as at, sum(case when a.id = t.credit_account_id then t.cents else -t.cents end)
            over (partition by t.owner_id order by t.created_at, t.id) as balance
          from transfer t join account a on a.owner_id = t.owner_id and a.kind = 'available'
            and a.id in (t.credit_account_id, t.debit_account_id)) b
      where balance < 0`),
  ).toEqual([])
  expect(
    await select(`select 1 from (select position - row_number() over (partition by user_id order by placed_at, order_id) as off
      from order_list_entry) places where off <> 0`),
  ).toEqual([])
})
