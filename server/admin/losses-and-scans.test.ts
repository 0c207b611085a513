import { expect, test } from 'vitest'
import { getAdminDashboard, listVoidedScans } from '#contract/admin.ts'
import { retryCarrier } from '#contract/carriers.ts'
import { placeOrder } from '#contract/orders.ts'
import { voidOrder } from '#contract/voids.ts'
import { SANDBOX_ACCOUNT } from '#server/carriers/sandbox/adapter.ts'
import { lockLosses, pauseForAdministrator } from '#server/carriers/service.ts'
import { testApp } from '#tests/support/app.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const admin = await app.admin()
const ana = await app.register()
await app.creditDollars(ana.user._id, 100)

const dashboard = async () =>
  (await app.call(getAdminDashboard, { query: { offset: 0 } }, admin.token)).body
const buy = async () =>
  (await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)).body.data

test('the work list names customer, label, refund and scan of a voided label', async () => {
  const { orderId, trackingNumber, price } = await buy()
  await app.call(voidOrder, { params: { orderId } }, ana.token)
  await app.database.pool.query(
    `insert into parcel_tracking (order_id, user_id, status, next_check_at, scanned_after_void_at)
      select id, user_id, 'delivered', null, clock_timestamp() from shipment_order where id = $1
      on conflict (order_id) do update
        set (status, next_check_at, scanned_after_void_at)
          = (excluded.status, excluded.next_check_at, excluded.scanned_after_void_at)`,
    [orderId],
  )
  const scans = (await app.call(listVoidedScans, { query: {} }, admin.token)).body
  const { _id, name, email } = ana.user
  expect(scans).toEqual({
    totalCount: 1,
    labels: [
      {
        orderId,
        user: { _id, name, email },
        trackingNumber,
        status: 'delivered',
        price,
        refundedAt: expect.any(String),
        scannedAt: expect.any(String),
      },
    ],
  })
  expect((await dashboard()).work.scans).toEqual({ count: 1, oldest: scans.labels[0]!.scannedAt })
  expect((await app.call(listVoidedScans, { query: {} }, ana.token)).status).toBe(403)

  await app.database.pool.query(
    `update parcel_tracking set scanned_after_void_at = scanned_after_void_at - interval '31 days'`,
  )
  expect((await dashboard()).work.scans).toEqual({ count: 0, oldest: null })
})

test('refused labels and losses of 7 days are on the work list', async () => {
  const [one, two] = [await buy(), await buy()]
  await app.database.pool.query(
    `insert into postage_loss (order_id, round, account, outcome, price_cents, cost_cents)
      values ($1, 1, 'sandbox', 'refused', 950, 4000), ($2, 1, 'sandbox', 'bought', 950, 2160)`,
    [one.orderId, two.orderId],
  )
  expect((await dashboard()).work.losses).toMatchObject({ count: 2, refused: 1, lost: 12.1 })
})

test('an administrator reads why purchases are paused, and resumes them', async () => {
  const account = SANDBOX_ACCOUNT
  await app.database.tx(async tx => {
    await lockLosses(tx, account)
    await pauseForAdministrator(tx, account, 'Labels lost too much')
  })
  expect((await dashboard()).carrierProblem).toMatchObject({
    cause: 'losses',
    reason: 'Labels lost too much',
  })
  expect((await app.call(retryCarrier, {}, admin.token)).status).toBe(200)
  expect((await dashboard()).carrierProblem).toBeNull()
  expect((await buy()).trackingNumber).toEqual(expect.any(String))
})
