/** The same customer, or two administrators, in several windows at the same moment; and every button is clicked more than once. */
import { expect, test } from 'vitest'
import { setUserDetails, verifySession } from '#contract/accounts.ts'
import { AddressForm, listAddresses, saveAddress, updateAddress } from '#contract/addresses.ts'
import { initBatch, processBatch, retryFailedLabels } from '#contract/batches.ts'
import { statement } from '#contract/ledger.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import { addSkus, listSkus, updateSku } from '#contract/skus.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { countOpenWork } from '#tests/support/deployment.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'

const PRICE = 6.5
const app = await testApp()
const admin = await app.admin()
const five = [1, 2, 3, 4, 5]
const params = ({ user }: TestUser) => ({ userId: user._id })
const closed = async () => {
  await expect.poll(() => countOpenWork(app.database), { interval: 20 }).toBe(0)
}
const money = async (of: TestUser) => (await app.call(verifySession, {}, of.token)).body.user
const init = async (by: TestUser) =>
  (await app.call(initBatch, { body: { userId: by.user._id } }, by.token)).body.orderId
async function seller(): Promise<TestUser> {
  const visitor = await app.register()
  await app.creditDollars(visitor.user._id, 1_000)
  return visitor
}

test('a bulk order sent five times at once is one order with one hold, and all five get the same answer', async () => {
  const ana = await seller()
  const orderId = await init(ana)
  const orderData = rows(40)
  const answers = await Promise.all(
    five.map(() =>
      app.call(processBatch, { params: params(ana), body: { orderId, orderData } }, ana.token),
    ),
  )
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    five.map(() => [202, { orderId, accepted: true, totalCount: 40, cost: 40 * PRICE }]),
  )
  await closed()
  expect(
    (await app.call(listOrders, { params: params(ana), query: {} }, ana.token)).body.orders,
  ).toHaveLength(40)
  expect((await money(ana)).balance).toBe(1_000 - 40 * PRICE)
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('other rows under the same id from a second window at the same moment: one of the two becomes the order, whole', async () => {
  const ben = await seller()
  const orderId = await init(ben)
  const answers = await Promise.all(
    [30, 20].map(count =>
      app.call(
        processBatch,
        { params: params(ben), body: { orderId, orderData: rows(count) } },
        ben.token,
      ),
    ),
  )
  expect(answers.map(answer => answer.status).toSorted()).toEqual([202, 409])
  await closed()
  const won = answers[0]!.status === 202 ? 30 : 20
  expect(
    (await app.call(listOrders, { params: params(ben), query: {} }, ben.token)).body.orders,
  ).toHaveLength(won)
  expect((await money(ben)).totalSpent).toBe(won * PRICE)
})

test('Retry Failed clicked five times at once is one round: each failed label is held and bought once', async () => {
  const cara = await seller()
  const orderId = await init(cara)
  const orderData = rows(20, n => (n <= 8 ? { ToStreet2: 'SANDBOX REFUSE ONCE' } : {}))
  await app.call(processBatch, { params: params(cara), body: { orderId, orderData } }, cara.token)
  await closed()
  const answers = await Promise.all(
    five.map(() => app.call(retryFailedLabels, { params: { orderId } }, cara.token)),
  )
  // A retry during or after the first one finds nothing to retry.
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409, 409, 409, 409])
  await closed()
  const { rows: rounds } = await app.database.pool.query(
    'select round, count(*) as n from shipment_order where batch_id = $1 group by round order by round',
    [orderId],
  )
  expect(rounds).toEqual([
    { round: 1, n: 12 },
    { round: 2, n: 8 },
  ])
  expect((await money(cara)).totalSpent).toBe(20 * PRICE)
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('a balance set from two windows while its owner orders: each time the requested amount, and no order is undone', async () => {
  const dora = await seller()
  const set = (balance: number) =>
    app.call(setUserDetails, { params: params(dora), body: { balance } }, admin.token)
  const [placed, changed] = await Promise.all([
    Promise.all(
      Array.from({ length: 20 }, () =>
        app.call(placeOrder, { body: singleOrderBody(dora.user._id) }, dora.token),
      ),
    ),
    Promise.all([600, 700, 600, 700, 600, 700].map(set)),
  ])
  expect([...placed, ...changed].map(answer => answer.status)).toEqual(Array(26).fill(200))
  const {
    body: { entries },
  } = await app.call(statement, { params: params(dora), query: { limit: 100 } }, dora.token)
  const corrections = entries.filter(entry => entry.kind.startsWith('adjust'))
  expect(corrections.length).toBeGreaterThan(0)
  for (const entry of corrections) expect([600, 700]).toContain(entry.balance)
  const { balance, totalSpent } = await money(dora)
  expect(totalSpent).toBe(20 * 9.5)
  expect(balance).toBeCloseTo(
    entries.reduce((sum, entry) => sum + entry.amount, 0),
    6,
  )
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('an address and a SKU saved from two windows at once are one of the two versions, never a mixture', async () => {
  const eve = await seller()
  const address = (town: string, zip: string) =>
    AddressForm.parse({
      address_id: 'Store',
      name: town,
      street: `1 ${town} St`,
      city: town,
      state: 'OR',
      zip,
    })
  const addresses = [address('Bend', '97701'), address('Salem', '97301')]
  const {
    body: { address: stored },
  } = await app.call(
    saveAddress,
    { params: params(eve), body: { formData: addresses[0]! } },
    eve.token,
  )
  const saved = await Promise.all(
    [...addresses, ...addresses].map(formData =>
      app.call(
        updateAddress,
        { params: { ...params(eve), addressRecordId: stored._id }, body: { formData } },
        eve.token,
      ),
    ),
  )
  expect(saved.map(answer => answer.status)).toEqual([200, 200, 200, 200])
  const {
    body: { savedAddress },
  } = await app.call(listAddresses, { params: params(eve) }, eve.token)
  expect(savedAddress).toHaveLength(1)
  expect(addresses.map(one => ({ ...one, _id: stored._id, isDefault: false }))).toContainEqual(
    savedAddress[0],
  )

  const skus = [1, 2].map(n => ({
    sku: 'MUG',
    maxQty: n,
    weight: n,
    length: n,
    width: n,
    height: n,
    description: `No. ${n}`,
  }))
  const {
    body: {
      SkuData: [mug],
    },
  } = await app.call(addSkus, { params: params(eve), body: { parsedData: [skus[0]!] } }, eve.token)
  await Promise.all(
    [...skus, ...skus].map(skuData =>
      app.call(
        updateSku,
        { params: { ...params(eve), skuId: mug!._id }, body: { skuData } },
        eve.token,
      ),
    ),
  )
  const {
    body: { SkuData },
  } = await app.call(listSkus, { params: params(eve) }, eve.token)
  expect(SkuData).toHaveLength(1)
  expect(skus.map(one => ({ ...one, _id: mug!._id }))).toContainEqual(SkuData[0])
})
