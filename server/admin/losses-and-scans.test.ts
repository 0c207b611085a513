import { expect, test } from 'vitest'
import { deleteUser, setUserDetails } from '#contract/accounts.ts'
import { getAdminDashboard, listVoidedScans } from '#contract/admin.ts'
import { retryCarrier } from '#contract/carriers.ts'
import { statement } from '#contract/ledger.ts'
import { placeOrder } from '#contract/orders.ts'
import { chargeVoidedScan, returnVoidedScanCharge } from '#contract/refunds.ts'
import { SANDBOX_ACCOUNT } from '#server/carriers/sandbox/adapter.ts'
import { lockLosses, pauseForAdministrator } from '#server/carriers/service.ts'
import { testApp } from '#tests/support/app.ts'
import { expectWaiting } from '#tests/support/lock-waits.ts'
import { voidAndWait } from '#tests/support/patient-calls.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const admin = await app.admin()
const ana = await app.register()
await app.creditDollars(ana.user._id, 100)

const dashboard = async () =>
  (await app.call(getAdminDashboard, { query: { offset: 0 } }, admin.token)).body
const buy = async () =>
  (await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)).body.data
const scan = (orderId: string) =>
  app.database.pool.query(
    `insert into parcel_tracking (order_id, user_id, status, next_check_at, scanned_after_void_at)
      select id, user_id, 'delivered', null, clock_timestamp() from shipment_order where id = $1
      on conflict (order_id) do update
        set (status, next_check_at, scanned_after_void_at)
          = (excluded.status, excluded.next_check_at, excluded.scanned_after_void_at)`,
    [orderId],
  )

test('the work list names customer, label, refund and scan of a voided label', async () => {
  const { orderId, trackingNumber, price } = await buy()
  expect(await voidAndWait(app, orderId, ana.token)).toBe(200)
  await scan(orderId)
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

test('one click charges a used label back once; what the balance lacks waits until money comes in', async () => {
  const cleo = await app.register('Cleo')
  await app.creditDollars(cleo.user._id, 10)
  const order = async () =>
    (await app.call(placeOrder, { body: singleOrderBody(cleo.user._id) }, cleo.token)).body.data
  const one = await order()
  const charge = (orderId: string) =>
    app.call(chargeVoidedScan, { params: { orderId } }, admin.token)
  expect((await charge(one.orderId)).body.code).toBe('wrong_state')
  expect(await voidAndWait(app, one.orderId, cleo.token)).toBe(200)
  expect((await charge(one.orderId)).body.code).toBe('wrong_state')
  await scan(one.orderId)
  await order()
  expect((await dashboard()).work.scans.count).toBe(1)

  const charged = await Promise.all([charge(one.orderId), charge(one.orderId)])
  expect(charged.map(({ status, body }) => [status, body.charged, body.waiting])).toEqual([
    [200, 9.5, 9],
    [200, 9.5, 9],
  ])
  expect(charged[0]!.body.message).toBe(
    '$9.50 was charged back; $9.00 of it waits until money comes in',
  )
  const wallet = async () => {
    const params = { userId: cleo.user._id }
    const { body } = await app.call(statement, { params, query: { filter: 'carrier' } }, cleo.token)
    return body.entries.map(({ amount, balance, orderId, note }) => [
      amount,
      balance,
      orderId,
      note,
    ])
  }
  const note = expect.stringMatching(/^Refunded label was used: the carrier scanned it on \d{4}-/)
  expect(await wallet()).toEqual([[-0.5, 0, one.orderId, note]])
  expect((await dashboard()).work.scans.count).toBe(0)
  expect((await app.call(listVoidedScans, { query: {} }, admin.token)).body.totalCount).toBe(0)

  await app.creditDollars(cleo.user._id, 20)
  expect(await wallet()).toEqual([
    [-9, 11, one.orderId, note],
    [-0.5, 0, one.orderId, note],
  ])
  expect((await charge(one.orderId)).body).toMatchObject({ charged: 9.5, waiting: 0 })
  const { rows } = await app.database.pool.query<{ entries: number }>(
    `select count(*)::int as entries from audit_entry where action = 'voided-scan-charged'`,
  )
  expect(rows).toEqual([{ entries: 1 }])
  expect((await charge('999999')).body).toMatchObject({
    code: 'order_unknown',
    message: 'There is no such order',
  })
  const strangers = await app.call(
    chargeVoidedScan,
    { params: { orderId: one.orderId } },
    cleo.token,
  )
  expect(strangers.status).toBe(403)
})

test('a refund is not charged back to an account that is being deleted', async () => {
  const ed = await app.register('Ed')
  await app.creditDollars(ed.user._id, 10)
  const { data } = (await app.call(placeOrder, { body: singleOrderBody(ed.user._id) }, ed.token))
    .body
  const params = { orderId: data.orderId }
  expect(await voidAndWait(app, data.orderId, ed.token)).toBe(200)
  await scan(data.orderId)
  const purse = await app.database.pool.connect()
  await purse.query('begin')
  const {
    rows: [held],
  } = await purse.query<{ pid: number }>(
    `select pg_backend_pid() as pid from balance b join account a on a.id = b.account_id
      where a.owner_id = $1 and a.kind = 'available' for update of b`,
    [ed.user._id],
  )
  const deleting = app.call(deleteUser, { params: { userId: ed.user._id } }, admin.token)
  await expectWaiting(app.database, held!.pid, 1)
  const charging = app.call(chargeVoidedScan, { params }, admin.token)
  await expectWaiting(app.database, held!.pid, 2)
  await purse.query('commit')
  purse.release()
  expect((await deleting).body.message).toBe(
    'User deleted. The remaining $10.00 stays on the books.',
  )
  const { status, body } = await charging
  expect([status, body.message]).toEqual([
    409,
    `The account of label ${data.orderId} was deleted and is not charged. `
      + 'Take $9.50 from its balance under User Management, status Deleted.',
  ])
  const { rows } = await app.database.pool.query(`select 1 from owed_charge where owner_id = $1`, [
    ed.user._id,
  ])
  expect(rows).toEqual([])

  const listed = async () =>
    (await app.call(listVoidedScans, { query: {} }, admin.token)).body.labels.map(
      ({ orderId }) => orderId,
    )
  expect(await listed()).toContain(data.orderId)
  const booked = { balance: 0, seenBalance: 10, reason: 'The refund, and the rest by check' }
  await app.call(setUserDetails, { params: { userId: ed.user._id }, body: booked }, admin.token)
  expect(await listed()).not.toContain(data.orderId)
})

test('what was charged or given back is not asked for again after the account was deleted', async () => {
  const fay = await app.register('Fay')
  await app.creditDollars(fay.user._id, 20)
  const charge = async (orderId: string) =>
    (await app.call(chargeVoidedScan, { params: { orderId } }, admin.token)).body.message
  const giveBack = async (orderId: string) => {
    const body = { reason: 'Scanned by mistake' }
    return (await app.call(returnVoidedScanCharge, { params: { orderId }, body }, admin.token)).body
      .message
  }
  const chargedLabel = async (): Promise<string> => {
    const body = singleOrderBody(fay.user._id)
    const { orderId } = (await app.call(placeOrder, { body }, fay.token)).body.data
    expect(await voidAndWait(app, orderId, fay.token)).toBe(200)
    await scan(orderId)
    expect(await charge(orderId)).toBe('$9.50 was charged back')
    return orderId
  }
  const [one, other] = [await chargedLabel(), await chargedLabel()]
  expect(await giveBack(other)).toBe('$9.50 was given back')
  await app.call(deleteUser, { params: { userId: fay.user._id } }, admin.token)
  expect(await charge(one)).toBe('$9.50 was charged back')
  expect(await giveBack(other)).toBe('$9.50 was given back')
  expect(await giveBack(one)).toBe(
    `The account of label ${one} was deleted. Add $9.50 to its balance under User Management, status Deleted.`,
  )
})

test('refused labels and losses of 7 days are on the work list', async () => {
  const [one, two] = [await buy(), await buy()]
  await app.database.pool.query(
    `insert into postage_loss (order_id, round, account, outcome, price_cents, cost_cents)
      values ($1, 1, 'sandbox', 'refused', 950, 4000), ($2, 1, 'sandbox', 'bought', 950, 2160)`,
    [one.orderId, two.orderId],
  )
  expect((await dashboard()).work.losses).toMatchObject({
    count: 2,
    refused: 1,
    lost: 12.1,
    newest: expect.toSatisfy(id => [one.orderId, two.orderId].map(String).includes(id)),
  })
})

test('an administrator reads why purchases are paused, and resumes them', async () => {
  const account = SANDBOX_ACCOUNT
  await app.database.tx(async tx => {
    await lockLosses(tx, account)
    await pauseForAdministrator(tx, account, 'Labels lost too much')
  })
  expect((await dashboard()).carrierProblem).toMatchObject({
    cause: 'losses',
    account: 'main',
    reason: 'Labels lost too much',
  })
  expect((await app.call(retryCarrier, { query: { account: 'main' } }, admin.token)).status).toBe(
    200,
  )
  expect((await dashboard()).carrierProblem).toBeNull()
  expect((await buy()).trackingNumber).toEqual(expect.any(String))
})
