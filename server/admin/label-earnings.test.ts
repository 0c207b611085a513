import { expect, test } from 'vitest'
import {
  applyAdjustments,
  creditAdjustment,
  listAdjustments,
  setAdjustmentRule,
} from '#contract/adjustments.ts'
import { cents } from '#contract/money.ts'
import { orderDetails } from '#contract/orders-admin.ts'
import { placeOrder } from '#contract/orders.ts'
import { chargeVoidedScan } from '#contract/refunds.ts'
import { tradeReport } from '#contract/reports.ts'
import { testApp } from '#tests/support/app.ts'
import { voidAndWait } from '#tests/support/patient-calls.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { earningsOf } from './label-earnings.ts'

const [price, cost] = [cents(950), cents(735)]
const NOTHING = { corrections: [], later: { transfers: [] } }
const marginOf = (state: 'purchased' | 'voiding' | 'voided' | 'failed' | 'queued') =>
  earningsOf({ order: { state, price }, cost: state === 'queued' ? null : cost, ...NOTHING }).margin

test('a bought label earns its price less the carrier’s cost, and a voided one nothing', () => {
  expect(marginOf('purchased')).toBe(215)
  expect(marginOf('voiding')).toBe(215)
  expect(marginOf('voided')).toBe(0)
})

test('what was not bought has no margin, nor a label whose cost is not known', () => {
  expect(marginOf('queued')).toBeNull()
  expect(marginOf('failed')).toBeNull()
  expect(
    earningsOf({ order: { state: 'purchased', price }, cost: null, ...NOTHING }).margin,
  ).toBeNull()
})

const app = await testApp()

test('the margin of a label is what the reports have for it, after corrections, a void and a scan', async () => {
  const { token: admin } = await app.admin()
  const { user, token } = await app.register()
  await app.creditDollars(user._id, 30)
  const bought = await app.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  const { orderId, trackingNumber } = bought.body.data
  // The only label of this installation.
  const margins = async () => {
    const { corrected, margin } = (await app.call(orderDetails, { params: { orderId } }, admin))
      .body
    const report = (await app.call(tradeReport, { query: {} }, admin)).body.totals.margin
    return [corrected, margin, report]
  }
  expect(await margins()).toEqual([0, 2.6, 2.6])

  await app.call(setAdjustmentRule, { body: { rule: 'limit', limit: 1 } }, admin)
  const rows = [
    ['tracking_number', 'amount', 'id'],
    [trackingNumber!, '4.99', '1'],
  ]
  await app.call(applyAdjustments, { body: { fileName: 'f.csv', rows } }, admin)
  expect(await margins()).toEqual([-3.99, -1.39, -1.39])

  const { adjustments } = (await app.call(listAdjustments, { params: { userId: user._id } }, token))
    .body
  await app.call(creditAdjustment, { params: { id: adjustments[0]!._id } }, admin)
  expect(await margins()).toEqual([-4.99, -2.39, -2.39])

  await voidAndWait(app, orderId, token)
  expect(await margins()).toEqual([-4.99, -4.99, -4.99])

  await app.database.pool.query(
    `insert into parcel_tracking (order_id, user_id, status, next_check_at, scanned_after_void_at)
      select id, user_id, 'delivered', null, clock_timestamp() from shipment_order where id = $1
      on conflict (order_id) do update set scanned_after_void_at = excluded.scanned_after_void_at`,
    [orderId],
  )
  await app.call(chargeVoidedScan, { params: { orderId } }, admin)
  expect(await margins()).toEqual([4.51, 4.51, 4.51])
})
