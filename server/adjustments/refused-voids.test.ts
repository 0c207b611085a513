import { expect, onTestFinished, test } from 'vitest'
import { deleteUser, verifySession } from '#contract/accounts.ts'
import {
  applyAdjustments,
  creditAdjustment,
  listAdjustments,
  listAllAdjustments,
  matchAdjustment,
  setAdjustmentRule,
} from '#contract/adjustments.ts'
import { labelDetails } from '#contract/order-details.ts'
import { placeOrder } from '#contract/orders.ts'
import { voidOrder } from '#contract/voids.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { untilDecided } from '#tests/support/patient-calls.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const PRICE = 9.5
const app = await testApp()
const { token: admin } = await app.admin()
await app.call(setAdjustmentRule, { body: { rule: 'pass_on', limit: null } }, admin)

let ids = 0
const apply = async (tracking: string, amount: number, id = `r${++ids}`) => {
  const rows = [
    ['tracking_number', 'amount', 'id'],
    [tracking, String(amount), id],
  ]
  const body = { fileName: 'corrections.csv', rows }
  const answer = await app.call(applyAdjustments, { body }, admin)
  expect(answer.status, answer.body.message).toBe(200)
  return answer.body
}
/** A customer with $50 and a label whose void the carrier refuses, or accepts. */
const customerWithLabel = async (name: string, command = 'SANDBOX NOVOID') => {
  const customer = await app.register(name)
  await app.creditDollars(customer.user._id, 50)
  const { body } = await app.call(
    placeOrder,
    { body: singleOrderBody(customer.user._id, { receiver: { receiver_address2: command } }) },
    customer.token,
  )
  const { orderId, trackingNumber } = body.data
  return { customer, token: customer.token, orderId, tracking: trackingNumber! }
}
/** What the customer has paid for the label until now. */
const paidBy = async ({ token }: TestUser) =>
  50 - (await app.call(verifySession, {}, token)).body.user.balance
const adjustmentsOf = async ({ user, token }: TestUser) =>
  (await app.call(listAdjustments, { params: { userId: user._id } }, token)).body.adjustments
const lineOf = async (orderId: string) =>
  (await app.call(listAllAdjustments, { query: {} }, admin)).body.adjustments.find(
    one => one.orderId === orderId,
  )!
const carrierCosts = async (orderId: string) =>
  (
    await app.database.pool.query<{ cents: number }>(
      `select coalesce(sum(case kind when 'carrier_cost' then cents else -cents end), 0)::bigint as cents
        from transfer where order_id = $1 and kind in ('carrier_cost', 'carrier_cost_back')`,
      [orderId],
    )
  ).rows[0]!.cents / 100

/**
 * Runs `meanwhile` after the void was requested and before the carrier answers. Returns the status of the answer: 422 or 200, also
 * where that took longer than a request waits, and a worker ended the void.
 */
async function whileVoiding(
  { orderId, token }: { orderId: string; token: string },
  meanwhile: () => Promise<void>,
): Promise<number> {
  const release = app.carrier.hold('void')
  onTestFinished(release)
  const answer = app.call(voidOrder, { params: { orderId } }, token)
  await expect
    .poll(
      async () =>
        (
          await app.database.pool.query<{ state: string }>(
            `select state from shipment_order where id = $1`,
            [orderId],
          )
        ).rows[0]!.state,
      { interval: 20 },
    )
    .toBe('voiding')
  await meanwhile()
  release()
  return untilDecided(app, orderId, token, (await answer).status)
}

test('a credit that was read while a void was open is booked when the carrier refuses the void, once', async () => {
  const label = await customerWithLabel('Ana')
  const { customer, orderId, tracking } = label
  const status = await whileVoiding(label, async () => {
    expect(await apply(tracking, -2, 'late-credit')).toMatchObject({ credited: 0 })
    expect(await lineOf(orderId)).toMatchObject({ amount: 0, wasVoided: true })
  })
  expect(status).toBe(422)
  expect(await paidBy(customer)).toBe(PRICE - 2)
  expect(await carrierCosts(orderId)).toBe(-2)
  expect(await lineOf(orderId)).toMatchObject({
    amount: -2,
    carrierAmount: -2,
    state: 'credited',
    rule: 'pass_on',
    wasVoided: false,
  })
  const { timeline } = (await app.call(labelDetails, { params: { orderId } }, customer.token)).body
  expect(timeline.filter(({ kind }) => kind === 'credited')).toMatchObject([{ amount: 2 }])

  expect(await apply(tracking, -2, 'late-credit')).toMatchObject({ repeated: 1 })
  expect(await whileVoiding(label, async () => {})).toBe(422)
  expect(await paidBy(customer)).toBe(PRICE - 2)
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('a customer who expects a charge does not get around it by a void that the carrier refuses', async () => {
  const label = await customerWithLabel('Ben')
  const { customer, orderId, tracking } = label
  await whileVoiding(label, async () => {
    expect(await apply(tracking, 5)).toMatchObject({ charged: 0, carrierAmount: 5 })
    expect(await paidBy(customer)).toBe(PRICE)
  })
  expect(await paidBy(customer)).toBe(PRICE + 5)
  expect(await carrierCosts(orderId)).toBe(5)
  const [charged] = await adjustmentsOf(customer)
  expect(charged).toMatchObject({ state: 'charged', amount: 5 })
  await app.call(creditAdjustment, { params: { id: charged!._id } }, admin)
  expect(await paidBy(customer)).toBe(PRICE)
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('a charge that a void cut to an earlier credit is one charge, whole once the void is refused', async () => {
  const label = await customerWithLabel('Cleo')
  const { customer, orderId, tracking } = label
  await apply(tracking, -2)
  await whileVoiding(label, async () => {
    await apply(tracking, 5)
    expect(await paidBy(customer)).toBe(PRICE)
  })
  expect(await paidBy(customer)).toBe(PRICE + 3)
  expect(await carrierCosts(orderId)).toBe(3)
  const [charged] = await adjustmentsOf(customer)
  expect(charged).toMatchObject({ state: 'charged', amount: 5, waiting: 0 })
  await app.call(creditAdjustment, { params: { id: charged!._id } }, admin)
  expect(await paidBy(customer)).toBe(PRICE)
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('a credit that a void cut to an earlier charge comes back whole, and the label shows both parts', async () => {
  const label = await customerWithLabel('Dora')
  const { customer, orderId, tracking } = label
  await apply(tracking, 3)
  await whileVoiding(label, async () => {
    await apply(tracking, -5)
    expect(await paidBy(customer)).toBe(PRICE)
  })
  expect(await paidBy(customer)).toBe(PRICE - 2)
  expect(await carrierCosts(orderId)).toBe(-2)
  const { timeline } = (await app.call(labelDetails, { params: { orderId } }, customer.token)).body
  const credits = timeline.filter(({ kind }) => kind === 'credited')
  expect(credits.map(({ amount }) => amount)).toEqual([3, 2])
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('several corrections of one open void follow one another', async () => {
  const label = await customerWithLabel('Emil')
  const { customer, orderId, tracking } = label
  await apply(tracking, 1)
  await whileVoiding(label, async () => {
    await apply(tracking, -4)
    await apply(tracking, 6)
    await apply(tracking, -1.5)
  })
  expect(await paidBy(customer)).toBe(PRICE + 1.5)
  expect(await carrierCosts(orderId)).toBe(1.5)
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('an account that was deleted pays and gets nothing, also after a refused void', async () => {
  const label = await customerWithLabel('Fay')
  const { customer, orderId, tracking } = label
  const params = { userId: customer.user._id }
  expect((await app.call(deleteUser, { params }, admin)).status).toBe(200)
  await whileVoiding({ orderId, token: admin }, async () => {
    await apply(tracking, 5)
    await apply(tracking, -7)
  })
  expect(await carrierCosts(orderId)).toBe(-2)
  const { rows } = await app.database.pool.query(
    `select kind from transfer where order_id = $1 and kind in ('carrier_charge', 'carrier_credit')`,
    [orderId],
  )
  expect(rows).toEqual([])
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('a void that the carrier accepts leaves its corrections with the operator', async () => {
  const label = await customerWithLabel('Gus', '')
  const { customer, orderId, tracking } = label
  const status = await whileVoiding(label, async () => {
    await apply(tracking, 5)
    await apply(tracking, -2)
  })
  expect(status).toBe(200)
  expect(await paidBy(customer)).toBe(0)
  expect(await carrierCosts(orderId)).toBe(3)
  expect(await adjustmentsOf(customer)).toEqual([])
})

test('a label with an open void is named by hand only once the carrier has decided', async () => {
  const label = await customerWithLabel('Hal')
  const { customer, orderId } = label
  await apply('9400HAL', 1.25)
  const { adjustments } = (
    await app.call(listAllAdjustments, { query: { show: 'unmatched' } }, admin)
  ).body
  const id = adjustments.find(one => one.trackingNumber === '9400HAL')!._id
  const match = () => app.call(matchAdjustment, { params: { id }, body: { orderId } }, admin)
  await whileVoiding(label, async () => {
    const { status, body } = await match()
    expect([status, body.code, body.message]).toEqual([
      409,
      'wrong_state',
      `Label ${orderId} has an open void. Name it when its refund is paid or refused.`,
    ])
  })
  expect((await match()).status).toBe(200)
  expect(await paidBy(customer)).toBe(PRICE + 1.25)
})
