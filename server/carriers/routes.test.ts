import { expect, test } from 'vitest'
import { carrierBalance } from '#contract/carriers.ts'
import { placeOrder } from '#contract/orders.ts'
import { testApp } from '#tests/support/app.ts'
import { voidAndWait } from '#tests/support/patient-calls.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const admin = await app.admin()
const balance = () => app.call(carrierBalance, {}, admin.token)

test('the operator sees the account’s balance at the carrier', async () => {
  expect((await balance()).body).toEqual({ balance: 1_000_000 })
  const ana = await app.register()
  await app.creditDollars(ana.user._id, 10)
  const {
    body: {
      data: { orderId },
    },
  } = await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)
  expect((await balance()).body).toEqual({ balance: 999_993.1 })
  expect(await voidAndWait(app, orderId, ana.token)).toBe(200)
  expect((await balance()).body).toEqual({ balance: 1_000_000 })
})

test('a carrier that does not answer is reported, in time', async () => {
  const { config } = app.ctx
  const { carrierTimeoutMs } = config
  const release = app.carrier.hold('balance')
  config.carrierTimeoutMs = 100
  const { status, body } = await balance()
  config.carrierTimeoutMs = carrierTimeoutMs
  release()
  expect([status, body.message]).toEqual([
    503,
    'The carrier did not answer. Please try again in a moment.',
  ])
})
