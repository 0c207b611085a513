import { expect, test } from 'vitest'
import { createKey } from '#contract/api-keys.ts'
import type { Scope } from '#contract/keys.ts'
import { placeOrder } from '#contract/orders.ts'
import { listRefunds, refundsDue } from '#contract/refunds.ts'
import type { RefundState } from '#contract/refunds.ts'
import { openPurchasing } from '#server/purchasing/open.ts'
import { testApp } from '#tests/support/app.ts'
import { voidAndWait } from '#tests/support/patient-calls.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { refundsOf } from './refunds.ts'

const app = await testApp()
const admin = await app.admin()
const ana = await app.register()
await app.creditDollars(ana.user._id, 100)
const params = { userId: ana.user._id }

const listOf = async (state?: RefundState, token = ana.token) =>
  app.call(listRefunds, { params, query: { state } }, token)
const buy = async () =>
  (await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)).body.data.orderId
/** A void that the carrier has not decided. */
const setOpen = (orderId: string, days: number) =>
  app.database.pool.query(
    `update shipment_order set state = 'voiding', void_requested_at = clock_timestamp() - $2 * interval '1 day',
        run_after = clock_timestamp() + interval '1 day' where id = $1`,
    [orderId, days],
  )

test('a customer sees what is pending, refunded and refused with the reason; the operator what carriers owe', async () => {
  const [refunded, refused, fresh, old, doubted] = [
    await buy(),
    await buy(),
    await buy(),
    await buy(),
    await buy(),
  ]
  expect((await listOf()).body).toMatchObject({ refunds: [], totalCount: 0 })
  expect(await voidAndWait(app, refunded, ana.token)).toBe(200)
  await setOpen(refused, 3)
  await app.database.pool.query(
    `update shipment_order set state = 'purchased', void_reason = 'Already used' where id = $1`,
    [refused],
  )
  await setOpen(fresh, 1)
  await setOpen(old, 20)
  await setOpen(doubted, 2)
  await app.database.pool.query(
    `insert into carrier_call (order_id, act, round, attempt, fence, outcome) values ($1, 'void', 1, 9, 99, 'permanent')`,
    [doubted],
  )

  const { body } = await listOf()
  expect(
    body.refunds.map(({ orderId, state, inDoubt, reason }) => [orderId, state, inDoubt, reason]),
  ).toEqual([
    [refunded, 'refunded', false, null],
    [fresh, 'pending', false, null],
    [doubted, 'pending', true, null],
    [refused, 'refused', false, 'Already used'],
    [old, 'pending', false, null],
  ])
  expect(new Set(body.refunds.map(({ receiver }) => receiver))).toEqual(new Set(['June Rivera']))
  expect(body).toMatchObject({
    totalCount: 5,
    pending: { count: 3, amount: 28.5 },
    refunded: { count: 1, amount: 9.5 },
    refused: { count: 1, amount: 9.5 },
    automatic: { count: 0, amount: 0 },
  })
  expect((await listOf('pending')).body).toMatchObject({ totalCount: 3 })
  expect((await listOf('refused')).body.refunds.map(({ orderId }) => orderId)).toEqual([refused])

  const { accounts } = (await app.call(refundsDue, {}, admin.token)).body
  expect(accounts).toHaveLength(1)
  expect(accounts[0]).toMatchObject({
    count: 3,
    customersGet: 28.5,
    ages: [
      { fromDays: 0, count: 2 },
      { fromDays: 14, count: 1 },
    ],
  })
  const { rows } = await app.database.pool.query<{ cost: number }>(
    `select sum(cost_cents)::float8 / 100 as cost from shipment_order where state = 'voiding'`,
  )
  expect(accounts[0]!.carrierOwes).toBeCloseTo(rows[0]!.cost)

  const stranger = await app.register('Stranger')
  expect((await listOf(undefined, stranger.token)).status).toBe(403)
  expect((await app.call(refundsDue, {}, ana.token)).status).toBe(403)
})

test('a key for the wallet alone sees refunds without the names of receivers', async () => {
  const cleo = await app.register('Cleo')
  await app.creditDollars(cleo.user._id, 20)
  const input = { body: singleOrderBody(cleo.user._id) }
  const { orderId } = (await app.call(placeOrder, input, cleo.token)).body.data
  await setOpen(orderId, 1)
  const of = { userId: cleo.user._id }
  const receiversFor = async (...scopes: Scope[]) => {
    const made = await app.call(
      createKey,
      { params: of, body: { name: 'Books', scopes } },
      cleo.token,
    )
    const { body } = await app.call(listRefunds, { params: of, query: {} }, made.body.key)
    return body.refunds.map(({ receiver }) => receiver)
  }
  expect(await receiversFor('wallet:read')).toEqual([null])
  expect(await receiversFor('wallet:read', 'labels:read')).toEqual(['June Rivera'])
})

test('a refund has an expected day only while its label is of the carrier account in use', async () => {
  const ben = await app.register('Ben')
  await app.creditDollars(ben.user._id, 100)
  const { orderId } = (
    await app.call(placeOrder, { body: singleOrderBody(ben.user._id) }, ben.token)
  ).body.data
  await setOpen(orderId, 1)
  await app.database.pool.query(
    'update shipment_order set void_submitted_at = void_requested_at where id = $1',
    [orderId],
  )
  const ctx = openPurchasing(app.ctx)
  const expectedOf = async (account: string) => {
    const carrier = { ...ctx.carrier, account, voidDecisionDays: 15 }
    const page = { page: 1, limit: 10 }
    const { refunds } = await refundsOf({ ...ctx, carrier }, Number(ben.user._id), null, page)
    return refunds[0]!.expectedAt
  }
  expect(await expectedOf(ctx.carrier.account)).toBeInstanceOf(Date)
  expect(await expectedOf('usps:7')).toBeNull()
})
