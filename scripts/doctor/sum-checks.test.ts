import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { readDashboard } from '#server/admin/dashboard-service.ts'
import { readConfig } from '#server/config.ts'
import { credit } from '#server/ledger/service.ts'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import { checkData } from './data-checks.ts'

const database = await testDatabase()
const quiet = () => {}
const ctx = {
  config: readConfig({}),
  database,
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
}
const sumFindings = async () =>
  (await checkData(database, database.url, ['sandbox'])).filter(({ text }) =>
    text.startsWith('Sums'),
  )

test('a stored sum that is not what the transfers add up to is reported with its remedy', async () => {
  const ana = await newUser(database, 'ana')
  await database.tx(tx =>
    credit(tx, ana, cents(1_250), { id: 1, provider: 'sandbox', externalId: 'paper-1', n: 1 }),
  )
  await readDashboard(ctx, { offset: 0 }, 1)
  const sound = [
    { isOk: true, text: 'Sums: the stored figures of the dashboard are those of the ledger' },
  ]
  expect(await sumFindings()).toEqual(sound)
  await database.owner.pool.query(
    "update ledger_total set cents = cents + 1 where kind = 'deposit'",
  )
  await database.owner.pool.query("delete from ledger_sum where kind = 'deposit'")
  // Empty tables have no place up to which they reach, so nothing is wrong with them.
  expect(await sumFindings()).toEqual([
    {
      isOk: false,
      text: expect.stringMatching(
        /^Sums: ledger_total has 1251 cents of kind deposit, and the transfers add up to 1250\. .*truncate ledger_total/,
      ) as string,
    },
  ])
  await database.owner.pool.query('truncate ledger_total')
  await readDashboard(ctx, { offset: 0 }, 1)
  expect(await sumFindings()).toEqual(sound)
})
