import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import {
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

test('a declined dispute has an answer and can still be credited', async () => {
  await app.call(setAdjustmentRule, { body: { rule: 'pass_on', limit: null } }, admin)
  const { user, token } = await app.register('Fay')
  await app.creditDollars(user._id, 20)
  const { data } = (await app.call(placeOrder, { body: singleOrderBody(user._id) }, token)).body
  const rows = [
    ['tracking_number', 'amount', 'id'],
    [data.trackingNumber!, '2', 'f1'],
  ]
  await app.call(applyAdjustments, { body: { fileName: 'f.csv', rows } }, admin)
  const list = async () =>
    (await app.call(listAdjustments, { params: { userId: user._id } }, token)).body.adjustments[0]!
  const { _id: id } = await list()
  const answer = (text: string) =>
    app.call(declineDispute, { params: { id }, body: { answer: text } }, admin)
  expect((await answer('No')).body.code).toBe('wrong_state')
  const params = { userId: user._id, id }
  await app.call(disputeAdjustment, { params, body: { note: 'Wrong' } }, token)
  for (let n = 0; n < 2; n++) expect((await answer('The scale says 50 oz')).status).toBe(200)
  expect((await list()).dispute).toMatchObject({
    state: 'declined',
    answer: 'The scale says 50 oz',
  })
  const credited = await app.call(creditAdjustment, { params: { id } }, admin)
  expect(credited.body.state).toBe('credited_back')
  expect((await app.call(verifySession, {}, token)).body.user.balance).toBe(10.5)
})
