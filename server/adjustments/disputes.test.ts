import { expect, test } from 'vitest'
import { deleteUser, verifySession } from '#contract/accounts.ts'
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
import { testApp } from '#tests/support/app.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const { token: admin } = await app.admin()

await app.call(setAdjustmentRule, { body: { rule: 'pass_on', limit: null } }, admin)

/** With a label and a charged correction of $2 for it. */
const customerWithCharge = async (name: string) => {
  const { user, token } = await app.register(name)
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
    `The account of label ${orderId} was deleted: nothing can be credited to it. An open dispute can be declined.`,
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
