/**
 * A server without a worker, and a carrier whose responses are lost: only the administrator can
 * resolve a label.
 */
import { beforeEach, expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { getAdminDashboard } from '#contract/admin.ts'
import { resolveLabel, resolveVoid } from '#contract/manual-resolution.ts'
import { orderDetails } from '#contract/orders-admin.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import { voidOrder } from '#contract/voids.ts'
import { sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp({ env: { ROLE: 'web' } })
beforeEach(() => {
  app.carrier.losesResponses = true
})
const admin = await app.admin()
const WHY = 'Seen in the list of the carrier'

const getDetails = async (orderId: string) =>
  (await app.call(orderDetails, { params: { orderId } }, admin.token)).body
const balance = async ({ token }: TestUser) =>
  (await app.call(verifySession, {}, token)).body.user.balance
const newest = async ({ user, token }: TestUser) =>
  (await app.call(listOrders, { params: { userId: user._id }, query: {} }, token)).body.orders[0]

async function seller(): Promise<TestUser> {
  const visitor = await app.register()
  await app.creditDollars(visitor.user._id, 100)
  return visitor
}

/** A label of unknown outcome that has been so for eleven minutes. */
async function unknownOf(by: TestUser): Promise<{ id: string; placed: Promise<unknown> }> {
  const placed = app.call(placeOrder, { body: singleOrderBody(by.user._id) }, by.token)
  const stateOf = async () => {
    const order = await newest(by)
    return order && (await getDetails(order._id)).order.state
  }
  await expect.poll(stateOf).toBe('unknown')
  const id = (await newest(by))!._id
  await app.database.pool.query(
    `update shipment_order set unknown_since = unknown_since - interval '11 minutes' where id = $1`,
    [id],
  )
  return { id, placed }
}

test('an administrator resolves a label of unknown outcome; the timeline tells who and why, and the buyer has the label', async () => {
  const ana = await seller()
  const { id, placed } = await unknownOf(ana)
  expect((await getDetails(id)).hand).toMatchObject({ what: 'label' })
  const trackingNumber = sandboxTracking(8_001)
  const params = { orderId: id }
  const wrong = await app.call(
    resolveLabel,
    { params, body: { outcome: 'sold', trackingNumber: '123', reason: WHY } },
    admin.token,
  )
  expect([wrong.status, (wrong.body as { errors?: object }).errors]).toEqual([
    422,
    { trackingNumber: expect.any(String) as string },
  ])
  expect(
    (
      await app.call(
        resolveLabel,
        { params, body: { outcome: 'not-sold', reason: ' ' } },
        admin.token,
      )
    ).status,
  ).toBe(400)
  const { status, body } = await app.call(
    resolveLabel,
    { params, body: { outcome: 'sold', trackingNumber, reason: WHY } },
    admin.token,
  )
  expect([status, body.message]).toEqual([200, 'Resolved; the label is valid'])
  expect(body).toMatchObject({
    order: { state: 'purchased', tracking_number: trackingNumber, cost: null },
    hand: null,
    otherAccount: null,
  })
  expect(body.timeline.filter(step => step.kind === 'by-hand')).toMatchObject([
    {
      text: 'Resolved manually: the carrier sold the label',
      detail: WHY,
      by: { _id: admin.user._id },
    },
  ])
  await placed
  expect(await newest(ana)).toMatchObject({
    _id: id,
    status: 'completed',
    tracking_number: trackingNumber,
  })
  expect(
    (
      await app.call(
        resolveLabel,
        { params, body: { outcome: 'not-sold', reason: WHY } },
        admin.token,
      )
    ).status,
  ).toBe(409)
  expect(await balance(ana)).toBe(90.5)
})

test('an unanswered void is resolved as refunded, and the customer is credited', async () => {
  const ben = await seller()
  app.carrier.losesResponses = false
  const {
    body: {
      data: { orderId },
    },
  } = await app.call(placeOrder, { body: singleOrderBody(ben.user._id) }, ben.token)
  app.carrier.losesResponses = true
  expect((await app.call(voidOrder, { params: { orderId } }, ben.token)).status).toBe(202)
  const paidBack = () =>
    app.call(
      resolveVoid,
      { params: { orderId }, body: { outcome: 'paid-back', reason: WHY } },
      admin.token,
    )
  expect((await paidBack()).status).toBe(409)
  await app.database.pool.query(
    `update shipment_order set void_requested_at = now() - interval '2 days' where id = $1`,
    [orderId],
  )
  const { status, body } = await paidBack()
  expect([status, body.message, body.order.state]).toEqual([
    200,
    'Resolved as refunded; the customer was credited',
    'voided',
  ])
  expect((await paidBack()).status).toBe(409)
  expect(await balance(ben)).toBe(100)
})

test('a label of another carrier account names the account and is an open task', async () => {
  const cara = await seller()
  const { id, placed } = await unknownOf(cara)
  await app.database.pool.query(
    `update shipment_order set carrier_account = 'easypost:1a2b3c4d' where id = $1`,
    [id],
  )
  expect(await getDetails(id)).toMatchObject({ hand: null, otherAccount: 'easypost:1a2b3c4d' })
  const end = () =>
    app.call(
      resolveLabel,
      { params: { orderId: id }, body: { outcome: 'not-sold', reason: WHY } },
      admin.token,
    )
  const refused = await end()
  expect([refused.status, refused.body.message]).toEqual([
    409,
    expect.stringContaining('easypost:1a2b3c4d') as string,
  ])
  const work = async () =>
    (await app.call(getAdminDashboard, { query: {} }, admin.token)).body.work.elsewhere
  expect(await work()).toMatchObject({
    count: 1,
    accounts: ['easypost:1a2b3c4d'],
    oldest: expect.any(String) as string,
  })
  await app.database.pool.query(`update shipment_order set carrier_account = null where id = $1`, [
    id,
  ])
  expect(await work()).toEqual({ count: 0, accounts: [], oldest: null })
  expect((await end()).body.message).toBe('Resolved as not sold; the hold was released')
  await placed
  expect((await newest(cara))!.status).toBe('cancelled')
  expect(await balance(cara)).toBe(100)
})
