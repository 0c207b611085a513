import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { applyAdjustments, setAdjustmentRule } from '#contract/adjustments.ts'
import { statement, walletTrend } from '#contract/ledger.ts'
import { placeOrder } from '#contract/orders.ts'
import { salesReport, tradeReport } from '#contract/reports.ts'
import { testApp } from '#tests/support/app.ts'
import { backdateTransfers } from '#tests/support/backdate.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { sumNewTransfers } from './sums.ts'

const app = await testApp()
const { token: admin } = await app.admin()
await app.call(setAdjustmentRule, { body: { rule: 'pass_on', limit: null } }, admin)

test('report, statement and the operator’s report agree on corrections, before and after sums are made', async () => {
  const { user, token } = await app.register('Ana')
  await app.creditDollars(user._id, 100)
  const buy = async () =>
    (await app.call(placeOrder, { body: singleOrderBody(user._id) }, token)).body.data
      .trackingNumber!
  const [heavy, light, absorbed] = [await buy(), await buy(), await buy()]
  await backdateTransfers(
    app.database,
    sql`created_at - interval '3 days'`,
    sql`owner_id = ${user._id}`,
  )
  const apply = (lines: [tracking: string, amount: string, id: string][]) => {
    const rows = [['tracking_number', 'amount', 'id'], ...lines]
    return app.call(applyAdjustments, { body: { fileName: 'c.csv', rows } }, admin)
  }
  await apply([
    [heavy, '5', 'a'],
    [light, '-2', 'b'],
  ])
  const own = { userId: user._id, rule: 'absorb' as const, limit: null }
  await app.call(setAdjustmentRule, { body: own }, admin)
  await apply([[absorbed, '1', 'c']])

  const params = { userId: user._id }
  const figures = async () => {
    const { totals, days } = (await app.call(salesReport, { params, query: {} }, token)).body
    const trend = (await app.call(walletTrend, { params, query: { offset: 0 } }, token)).body.days
    const { entries } = (await app.call(statement, { params, query: {} }, token)).body
    const { customers } = (await app.call(tradeReport, { query: {} }, admin)).body
    const spent = entries.reduce(
      (sum, { kind, amount }) => sum - (kind === 'deposit' ? 0 : amount),
      0,
    )
    return {
      totals,
      today: days.at(-1)!.services.map(({ charged, refunded }) => ({ charged, refunded })),
      trend: trend.reduce((sum, day) => sum + day.spent, 0),
      statement: spent,
      operator: customers.find(one => one.user._id === user._id),
    }
  }
  const expected = {
    totals: { labels: 3, charged: 33.5, voided: 0, refunded: 2 },
    today: [{ charged: 5, refunded: 2 }],
    trend: 31.5,
    statement: 31.5,
    operator: expect.objectContaining({ labels: 3, revenue: 31.5, refunded: 2 }),
  }
  expect(await figures()).toEqual(expected)
  await sumNewTransfers(app.ctx, 1)
  expect(await figures()).toEqual(expected)
})
