import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import { selectPoundCosts } from './costs-store.ts'

const database = await testDatabase()

test('the cost of a pound is the average of the newest labels, a part of a pound counts as a whole', async () => {
  const dana = await newUser(database, 'dana')
  const buy = (service: string, weight: number | null, cost: number | null) =>
    sql`insert into shipment_order (user_id, state, service_uid, service_name, price_cents, sender, receiver, package,
        tracking_number, cost_cents)
      values (${dana}, ${cost === null ? 'failed' : 'purchased'}, ${service}, ${service}, 950, '{}', '{}', ${JSON.stringify({ weight })},
        ${cost === null ? null : crypto.randomUUID()}, ${cost})`.execute(database.db)
  await buy('ground', 1, 9_999)
  await buy('ground', 0.4, 400)
  await buy('ground', 1, 501)
  await buy('ground', 1.1, 600)
  await buy('priority', 12, 1_010)
  await buy('priority', 12, null)
  await buy('priority', null, 777)
  expect(await selectPoundCosts(database.db, 6)).toEqual([
    { serviceUid: 'ground', pounds: 1, labels: 2, cost: 451 },
    { serviceUid: 'ground', pounds: 2, labels: 1, cost: 600 },
    { serviceUid: 'priority', pounds: 12, labels: 1, cost: 1_010 },
  ])
})
