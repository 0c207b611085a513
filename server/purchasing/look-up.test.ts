/** A server without a worker, and a carrier whose responses are lost: nothing changes until an administrator looks it up. */
import { beforeEach, expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import { voidOrder } from '#contract/voids.ts'
import { processDueVoids } from '#server/voids/settle.ts'
import { testApp } from '#tests/support/app.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { placeAndWait, voidAndWait } from '#tests/support/patient-calls.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { lookUpForAdmin } from './look-up.ts'
import { openPurchasing } from './open.ts'
import { reconcile } from './reconcile.ts'
import { startPurchaseWorker } from './worker.ts'

const app = await testApp({ env: { ROLE: 'web' } })
beforeEach(() => {
  app.carrier.losesResponses = true
})
const admin = await app.admin()
const actorId = Number(admin.user._id)
// Another process.
const ctx = openPurchasing(app.ctx, app.carrier.wrap)

const buyAndLookUp = async () => {
  await reconcile(ctx)
  await startPurchaseWorker(ctx).stop()
}

async function seller() {
  const visitor = await app.register()
  await app.creditDollars(visitor.user._id, 100)
  const orders = async () =>
    (await app.call(listOrders, { params: { userId: visitor.user._id }, query: {} }, visitor.token))
      .body.orders
  const balance = async () => (await app.call(verifySession, {}, visitor.token)).body.user.balance
  const order = singleOrderBody(visitor.user._id)
  const place = () => app.call(placeOrder, { body: order }, visitor.token)
  /** With an answer, also where it comes later than the server waits for it. */
  const buy = async () =>
    (await placeAndWait(app, order, visitor.token, buyAndLookUp)).body.data.orderId
  return { ...visitor, orders, balance, place, buy }
}
const stateOf = async (id: number) =>
  (
    await app.database.db
      .selectFrom('shipment_order')
      .select(['id', 'state'])
      .where('id', '=', id)
      .executeTakeFirst()
  )?.state
const asked = () =>
  app.database.db
    .selectFrom('audit_entry')
    .selectAll()
    .where('action', '=', 'label-checked')
    .execute()

test('an administrator looks up an unknown label, and its buyer gets it at once', async () => {
  const ana = await seller()
  const placed = ana.place()
  await expect.poll(async () => (await ana.orders()).length).toBe(1)
  const id = Number((await ana.orders())[0]!._id)
  await expect.poll(() => stateOf(id)).toBe('unknown')
  expect((await lookUpForAdmin(ctx, actorId, id)).state).toBe('unknown') // this response is lost too
  app.carrier.losesResponses = false
  const found = await lookUpForAdmin(ctx, actorId, id)
  app.carrier.losesResponses = true
  expect(found).toMatchObject({ id, state: 'purchased', trackingNumber: expect.any(String) })
  const { status, body } = await placed
  // The request waits for 20 s, and a slow machine takes longer.
  const [label] = await ana.orders()
  expect(status === 202 ? label!.tracking_number : body.data.trackingNumber).toBe(
    found.trackingNumber,
  )
  expect((await asked()).map(entry => [entry.actor_id, entry.subject_id, entry.detail])).toEqual(
    Array(2).fill([actorId, Number(ana.user._id), { orderId: id }]),
  )
  await expect(lookUpForAdmin(ctx, actorId, id)).rejects.toThrow(
    'This label has nothing to check with the carrier',
  )
  await expect(lookUpForAdmin(ctx, actorId, 999_999)).rejects.toThrow('There is no such order')
  expect(await asked()).toHaveLength(2)
})

test('a void without an answer is accepted, continues by itself, and can be repeated at once', async () => {
  const ben = await seller()
  app.carrier.losesResponses = false
  const [first, second] = [await ben.buy(), await ben.buy()]
  app.carrier.losesResponses = true
  const answers = await Promise.all(
    [first, second].map(orderId => app.call(voidOrder, { params: { orderId } }, ben.token)),
  )
  expect(
    answers.map(answer => [answer.status, answer.body.order.void, answer.body.message]),
  ).toEqual(
    Array(2).fill([
      202,
      'requested',
      'The carrier was asked to void this label. Its price comes back when the carrier confirms.',
    ]),
  )
  expect(await ben.balance()).toBe(81) // no money before the carrier has confirmed

  app.carrier.losesResponses = false
  // Again where a slow machine has no answer in time.
  await expect
    .poll(async () => (await lookUpForAdmin(ctx, actorId, Number(first))).state)
    .toBe('voided')
  expect(await ben.balance()).toBe(90.5)
  await expect
    .poll(async () => {
      await app.database.pool.query('update shipment_order set run_after = now() where id = $1', [
        second,
      ])
      await processDueVoids(ctx)
      return ben.balance()
    })
    .toBe(100)
  app.carrier.losesResponses = true
  expect((await ben.orders()).map(order => order.void)).toEqual(['voided', 'voided'])
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('every carrier call is recorded with its answer', async () => {
  const cara = await seller()
  app.carrier.losesResponses = false
  const callsOfNewLabel = async () => {
    const orderId = await cara.buy()
    await voidAndWait(app, orderId, cara.token, () => processDueVoids(ctx))
    return app.database.db
      .selectFrom('carrier_call')
      .select(['act', 'outcome', 'attempt'])
      .where('order_id', '=', Number(orderId))
      .orderBy('id')
      .execute()
  }
  let calls = await callsOfNewLabel()
  // A call without an answer in time, as on a slow machine, is one more; then another label is bought.
  const isAnswered = ({ outcome }: (typeof calls)[number]) =>
    outcome === 'bought' || outcome === 'voided'
  for (let tries = 1; tries < 3 && !calls.every(isAnswered); tries++)
    calls = await callsOfNewLabel()
  app.carrier.losesResponses = true
  expect(calls).toEqual([
    { act: 'buy', outcome: 'bought', attempt: 1 },
    { act: 'void', outcome: 'voided', attempt: 1 },
  ])
})
