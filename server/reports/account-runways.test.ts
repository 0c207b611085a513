/** Two carrier accounts: main at EasyPost with $1,204.29, backup at ShipEngine with $3,799.52. */
import { afterAll, expect, test } from 'vitest'
import { listCarrierAccounts } from '#contract/carriers.ts'
import { placeOrder } from '#contract/orders.ts'
import { runwayReport } from '#contract/reports.ts'
import { voidOrder } from '#contract/voids.ts'
import { checkCarrierAccounts } from '#scripts/doctor/carrier-checks.ts'
import { findViolations } from '#server/ledger/service.ts'
import { testApp } from '#tests/support/app.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { openTwoAccounts } from '#tests/support/two-accounts.ts'
import { sumNewTransfersOfAccounts } from './sums.ts'

const { env, close } = await openTwoAccounts()
afterAll(close)
const app = await testApp({ env })
const { database } = app
const admin = await app.admin()
const ana = await app.register()
await app.creditDollars(ana.user._id, 1_000)

const GROUND = 'USPS Ground Advantage'
const PRIORITY = 'USPS Priority Mail'
await database.pool.query(`insert into service_source (service_uid, rank, account_name) values
  ('usps:GROUND_ADVANTAGE', 1, 'main'), ('usps:PRIORITY_MAIL', 1, 'backup')`)

const buy = async (service: string) => {
  const body = singleOrderBody(ana.user._id, { service_name: service })
  const answer = await app.call(placeOrder, { body }, ana.token)
  expect(answer.status).toBe(200)
}
const runways = async () =>
  (await app.call(runwayReport, {}, admin.token)).body.accounts.map(({ name, runway }) => ({
    name,
    ...runway,
  }))
/** What the labels of a carrier cost, in dollars, by the orders. */
const costOf = async (kind: string): Promise<number> => {
  const { rows } = await database.pool.query<{ cost: number }>(
    `select coalesce(sum(cost_cents), 0)::int as cost from shipment_order
      where state = 'purchased' and carrier_account like $1 || ':%'`,
    [kind],
  )
  return rows[0]!.cost / 100
}
const sumAll = () => sumNewTransfersOfAccounts(app.ctx, 1)
const sums = async (): Promise<number> =>
  (await database.pool.query('select from carrier_account_sum')).rowCount!

test('an account that sold nothing has a balance and no pace', async () => {
  expect(await runways()).toMatchObject([
    { name: 'main', balance: 1204.29, reason: null, pace: null, daysLeft: null },
    { name: 'backup', balance: 3799.52, reason: null, pace: null, daysLeft: null },
  ])
})

test('each account lasts as long as its own labels let it, before and after they are summed', async () => {
  for (const service of [GROUND, GROUND, GROUND, PRIORITY]) await buy(service)
  const [ofMain, ofBackup] = [await costOf('easypost'), await costOf('shipengine')]
  expect(ofMain).toBeGreaterThan(ofBackup)
  const expected = [
    { name: 'main', pace: { days: 1, perDay: ofMain }, daysLeft: Math.floor(1204.29 / ofMain) },
    {
      name: 'backup',
      pace: { days: 1, perDay: ofBackup },
      daysLeft: Math.floor(3799.52 / ofBackup),
    },
  ]
  expect(await sums()).toBe(0)
  expect(await runways()).toMatchObject(expected)
  await sumAll()
  expect(await sums()).toBe(2)
  expect(await runways()).toMatchObject(expected)
  await buy(PRIORITY)
  expect((await runways())[0]).toMatchObject(expected[0]!)
  expect((await runways())[1]!.pace).toEqual({ days: 1, perDay: await costOf('shipengine') })
})

test('a voided label counts no longer for the account that sold it', async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    `select id from shipment_order where carrier_account like 'shipengine:%' order by id limit 1`,
  )
  const before = await costOf('shipengine')
  const voided = await app.call(voidOrder, { params: { orderId: String(rows[0]!.id) } }, ana.token)
  expect([200, 202], voided.body.message).toContain(voided.status)
  await expect.poll(() => costOf('shipengine')).toBeLessThan(before)
  expect((await runways())[1]!.pace).toEqual({ days: 1, perDay: await costOf('shipengine') })
})

test('the list of accounts has the same figures', async () => {
  const { body } = await app.call(listCarrierAccounts, {}, admin.token)
  const listed = body.accounts.map(({ name, runway }) => ({ name, ...runway }))
  expect(listed).toEqual(await runways())
  expect(body.accounts).toMatchObject([
    { mode: 'live', state: 'working', nextTry: null, perMinute: 100_000 },
    { mode: 'live', state: 'working', nextTry: null, perMinute: 100_000 },
  ])
})

test('the sums of accounts agree with the ledger, and are noticed where they do not', async () => {
  await sumAll()
  const violations = async () => (await findViolations(database.db)).map(({ subject }) => subject)
  expect(await violations()).toEqual([])
  await database.owner.pool.query('update carrier_account_sum set cost_cents = cost_cents + 1')
  expect(await violations()).toEqual(['carrier accounts'])
  await database.owner.pool.query('delete from carrier_account_progress')
  await sumAll()
  expect(await violations()).toEqual([])
})

test('the doctor says of each account how long it lasts, and changes nothing', async () => {
  await database.owner.pool.query('delete from carrier_account_progress')
  await database.owner.pool.query('delete from carrier_account_sum')
  const found = await checkCarrierAccounts(app.ctx)
  expect(found.map(({ isOk }) => isOk)).toEqual([true, true])
  expect(found[0]!.text).toMatch(
    /^Carrier account main: \$1,204\.29 left, which lasts about \d+ days at \$\d+\.\d\d a day$/,
  )
  expect(found[1]!.text).toMatch(/^Carrier account backup: \$3,799\.52 left, which lasts about/)
  expect(await sums()).toBe(0)
})

test('with one account nothing is summed by account, and its pace is that of all labels', async () => {
  const single = await testApp({ env: {} })
  const bea = await single.register()
  await single.creditDollars(bea.user._id, 100)
  const body = singleOrderBody(bea.user._id)
  expect((await single.call(placeOrder, { body }, bea.token)).status).toBe(200)
  await sumNewTransfersOfAccounts(single.ctx, 1)
  const { rows } = await single.database.pool.query<{ sums: number; cost: number }>(
    `select (select count(*) from carrier_account_sum)::int as sums, sum(cost_cents)::int as cost from shipment_order`,
  )
  expect(rows[0]!.sums).toBe(0)
  const reader = await single.admin()
  const report = (await single.call(runwayReport, {}, reader.token)).body
  expect(report.accounts).toMatchObject([
    { name: 'main', runway: { pace: { days: 1, perDay: rows[0]!.cost / 100 } } },
  ])
})
