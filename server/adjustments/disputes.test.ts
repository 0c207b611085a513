import { expect, test } from 'vitest'
import { deleteUser, setUserRole, verifySession } from '#contract/accounts.ts'
import {
  adjustmentRules,
  applyAdjustments,
  creditAdjustment,
  declineDispute,
  disputeAdjustment,
  listAdjustments,
  setAdjustmentRule,
} from '#contract/adjustments.ts'
import { placeOrder } from '#contract/orders.ts'
import { chargeVoidedScan, returnVoidedScanCharge } from '#contract/refunds.ts'
import { testApp } from '#tests/support/app.ts'
import { voidAndWait } from '#tests/support/patient-calls.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const { token: admin } = await app.admin()

await app.call(setAdjustmentRule, { body: { rule: 'pass_on', limit: null } }, admin)

/** With a label and a charged correction of $2 for it. */
const customerWithCharge = async (name: string) => {
  const { user, token, password } = await app.register(name)
  await app.creditDollars(user._id, 20)
  const { data } = (await app.call(placeOrder, { body: singleOrderBody(user._id) }, token)).body
  const rows = [
    ['tracking_number', 'amount', 'id'],
    [data.trackingNumber!, '2', name],
  ]
  await app.call(applyAdjustments, { body: { fileName: 'f.csv', rows } }, admin)
  const list = async () =>
    (await app.call(listAdjustments, { params: { userId: user._id } }, token)).body.adjustments[0]!
  const { _id: id } = await list()
  return {
    user,
    token,
    password,
    id,
    orderId: data.orderId,
    list,
    dispute: (note: string) =>
      app.call(disputeAdjustment, { params: { userId: user._id, id }, body: { note } }, token),
    answer: (text: string) =>
      app.call(declineDispute, { params: { id }, body: { answer: text } }, admin),
    credit: () => app.call(creditAdjustment, { params: { id } }, admin),
  }
}

test('a declined dispute has an answer and can still be credited', async () => {
  const { token, list, dispute, answer, credit } = await customerWithCharge('Fay')
  expect((await answer('No')).body.code).toBe('wrong_state')
  await dispute('Wrong')
  for (let n = 0; n < 2; n++) expect((await answer('The scale says 50 oz')).status).toBe(200)
  expect((await list()).dispute).toMatchObject({
    state: 'declined',
    answer: 'The scale says 50 oz',
  })
  expect((await credit()).body.state).toBe('credited_back')
  expect((await app.call(verifySession, {}, token)).body.user.balance).toBe(10.5)
})

test('a deleted account gets nothing back for a dispute; the operator declines it', async () => {
  const { user, orderId, dispute, answer, credit } = await customerWithCharge('Gus')
  await dispute('It weighs 2 lb')
  expect((await app.call(deleteUser, { params: { userId: user._id } }, admin)).status).toBe(200)
  const refused = await credit()
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'wrong_state',
    `The account of label ${orderId} was deleted. Add what you owe to its balance under User Management, status Deleted. `
      + 'An open dispute can be declined.',
  ])
  const { rows } = await app.database.pool.query(
    `select kind from transfer where order_id = $1 and kind = 'carrier_credit'`,
    [orderId],
  )
  expect(rows).toEqual([])
  expect((await answer('The account was deleted')).body.dispute).toMatchObject({
    state: 'declined',
  })
})

test('an administrator decides nothing about the charges of their own account', async () => {
  const { user, token, password, id, orderId, dispute } = await customerWithCharge('Ida')
  await dispute('It weighs 2 lb')
  expect(await voidAndWait(app, orderId, token)).toBe(200)
  await app.database.pool.query(
    `insert into parcel_tracking (order_id, user_id, status, next_check_at, scanned_after_void_at)
      select id, user_id, 'delivered', null, clock_timestamp() from shipment_order where id = $1
      on conflict (order_id) do update set scanned_after_void_at = excluded.scanned_after_void_at`,
    [orderId],
  )
  const charged = await app.call(chargeVoidedScan, { params: { orderId } }, admin)
  expect(charged.status, charged.body.message).toBe(200)
  const role = { params: { userId: user._id }, body: { user_role: 'admin' as const } }
  expect((await app.call(setUserRole, role, admin)).status).toBe(200)
  const own = await app.signIn(user.email, password)
  const answer = { params: { id }, body: { answer: 'You are right' } }
  const back = { params: { orderId }, body: { reason: 'Scanned in error' } }
  const codes = [
    (await app.call(creditAdjustment, { params: { id } }, own)).body.code,
    (await app.call(declineDispute, answer, own)).body.code,
    (await app.call(returnVoidedScanCharge, back, own)).body.code,
  ]
  expect(codes).toEqual(['not_your_own', 'not_your_own', 'not_your_own'])
})

test('a deleted account is not among the customers with a rule of their own', async () => {
  const { user } = await app.register('Hal')
  await app.call(
    setAdjustmentRule,
    { body: { rule: 'absorb', limit: null, userId: user._id } },
    admin,
  )
  const listed = async () => (await app.call(adjustmentRules, {}, admin)).body
  expect((await listed()).users.map(rule => rule.user.name)).toEqual(['Hal'])
  await app.call(deleteUser, { params: { userId: user._id } }, admin)
  expect(await listed()).toMatchObject({ all: { rule: 'pass_on' }, users: [] })
})
