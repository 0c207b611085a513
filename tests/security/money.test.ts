/** Who would pay less, be paid more, or pay twice: lines 32 to 38 of docs/security.md. */
import { expect, test } from 'vitest'
import { register, setUserDetails, verifySession } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { sandboxPurchases } from '#contract/carriers.ts'
import {
  defaultServices,
  setDefaultServicePrices,
  toggleDefaultService,
} from '#contract/catalogue.ts'
import { listOrders, placeOrder, quotePrice } from '#contract/orders.ts'
import { sandboxPay, topUp } from '#contract/payments.ts'
import { applyReferral } from '#contract/referrals.ts'
import { PASSWORD, injectOptionsFor, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { row, rows, singleOrderBody } from '#tests/support/rows.ts'
import { tableChecksums } from '#tests/support/table-checksums.ts'

const app = await testApp()
const admin = await app.admin()

async function seller(dollars: number): Promise<TestUser> {
  const visitor = await app.register()
  await app.creditDollars(visitor.user._id, dollars)
  return visitor
}
const balance = async (of: TestUser) =>
  (await app.call(verifySession, {}, of.token)).body.user.balance
const placeLabel = (by: TestUser, changes: Parameters<typeof singleOrderBody>[1] = {}) =>
  app.call(placeOrder, { body: singleOrderBody(by.user._id, changes) }, by.token)
const init = async (by: TestUser) =>
  (await app.call(initBatch, { body: { userId: by.user._id } }, by.token)).body.orderId
const submit = (by: TestUser, orderId: string, orderData: unknown[]) =>
  app.call(
    processBatch,
    { params: { userId: by.user._id }, body: { orderId, orderData } },
    by.token,
  )
async function waitForBatchEnd(by: TestUser, orderId: string): Promise<void> {
  const isOver = async () =>
    isTerminal((await app.call(batchStatus, { params: { orderId } }, by.token)).body.status)
  await expect.poll(isOver).toBe(true)
}
const labels = async (of: TestUser) =>
  (await app.call(listOrders, { params: { userId: of.user._id }, query: {} }, of.token)).body
    .totalCount

test('32 only the server decides a price, even if another price is sent', async () => {
  const ana = await seller(100)
  const body = singleOrderBody(ana.user._id)
  const cheap = { price: 0.01, cost: 0.01, totalPrice: 0.01, priceCents: 1 }
  const {
    body: { data },
  } = await app.call(
    placeOrder,
    { body: { ...body, ...cheap, package: { ...body.package, ...cheap } } },
    ana.token,
  )
  expect(data.price).toBe(9.5)
  const orderId = await init(ana)
  expect((await submit(ana, orderId, [{ ...row(), ...cheap, Price: '0.01' }])).body.cost).toBe(6.5)
  await waitForBatchEnd(ana, orderId)
  expect(await balance(ana)).toBe(100 - 9.5 - 6.5)
  const shipments = [
    { service_name: 'USPS Priority Mail', package: { package_weight: 2, ...cheap } },
  ]
  expect(
    (await app.call(quotePrice, { body: { userId: ana.user._id, shipments } }, ana.token)).body
      .totalPrice,
  ).toBe(9.5)
})

/** As JSON has them; the last ones are texts, which are no amounts. */
const NO_AMOUNTS = [
  '-1',
  '-0.01',
  '1e309',
  '-1e309',
  '1e15',
  '0.001',
  '10.005',
  'null',
  '"5"',
  '"NaN"',
  '[5]',
  '{"$gt":0}',
  'true',
]
const NO_WEIGHTS = [
  '0',
  '-1',
  '1e309',
  '"1e3"',
  '"0x10"',
  '"NaN"',
  '"Infinity"',
  '"1,5"',
  '" "',
  '1e-20',
  '999999999999999999999',
]

test('33 an invalid amount or measure is refused and moves nothing', async () => {
  const ana = await seller(50)
  const invoice = (await app.call(topUp, { params: { userId: ana.user._id } }, ana.token)).body
  const {
    body: [service],
  } = await app.call(defaultServices, {}, admin.token)
  const send = async (request: Parameters<typeof app.send>[0], payload: string, token: string) =>
    (
      await app.send({
        ...request,
        payload,
        headers: { token, 'content-type': 'application/json' },
      })
    ).statusCode
  const pay = injectOptionsFor(sandboxPay, { params: { id: invoice.id } })
  const details = injectOptionsFor(setUserDetails, { params: { userId: ana.user._id } })
  const prices = injectOptionsFor(setDefaultServicePrices, { params: { id: service!._id } })
  const before = await tableChecksums(app.database)
  for (const amount of [...NO_AMOUNTS, '0'])
    expect([amount, await send(pay, `{"amount":${amount}}`, ana.token)]).toEqual([amount, 400])
  for (const amount of NO_AMOUNTS) {
    expect([
      amount,
      await send(details, `{"balance":${amount},"reason":"x"}`, admin.token),
    ]).toEqual([amount, 400])
    const range = `{"prices":[{"fromWeight":1,"toWeight":70,"price":${amount}}]}`
    expect([amount, [400, 422].includes(await send(prices, range, admin.token))]).toEqual([
      amount,
      true,
    ])
  }
  const order = JSON.stringify(singleOrderBody(ana.user._id))
  for (const weight of NO_WEIGHTS) {
    const payload = order.replace('"package_weight":2', `"package_weight":${weight}`)
    const status = await send({ method: 'POST', url: placeOrder.path }, payload, ana.token)
    expect([weight, [400, 422].includes(status)]).toEqual([weight, true])
  }
  expect(await tableChecksums(app.database)).toEqual(before)
})

test('34 a bulk order submitted twice at the same moment, or twenty times, is one order', async () => {
  const ana = await seller(100)
  const orderId = await init(ana)
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit(ana, orderId, rows(3))))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.cost}`))).toEqual(
    new Set(['202 19.5']),
  )
  await waitForBatchEnd(ana, orderId)
  expect([await balance(ana), await labels(ana)]).toEqual([80.5, 3])
})

test('35 an id that was never issued, or to another user, buys nothing; the same rows again get the same answer, others 409', async () => {
  const [ana, bob] = [await seller(100), await seller(100)]
  const orderId = await init(ana)
  expect((await submit(bob, orderId, rows(1))).status).toBe(404)
  for (const id of ['999999', '123456789012345678'])
    expect((await submit(ana, id, rows(1))).status).toBe(404)
  const [first, again] = [await submit(ana, orderId, rows(2)), await submit(ana, orderId, rows(2))]
  expect([again.status, again.body]).toEqual([first.status, first.body])
  expect((await submit(ana, orderId, rows(3))).status).toBe(409)
  await waitForBatchEnd(ana, orderId)
  expect([
    (await submit(ana, orderId, rows(2))).body,
    await labels(ana),
    await labels(bob),
  ]).toEqual([first.body, 2, 0])
})

test('36 fifty orders at the same moment with money for ten buy exactly ten', async () => {
  const ana = await seller(95)
  const answers = await Promise.all(Array.from({ length: 50 }, () => placeLabel(ana)))
  expect(answers.filter(answer => answer.status === 200)).toHaveLength(10)
  expect(answers.filter(answer => answer.status === 402)).toHaveLength(40)
  const { totalDeposit, totalSpent } = (await app.call(verifySession, {}, ana.token)).body.user
  expect([await balance(ana), totalDeposit, totalSpent]).toEqual([0, 95, 95])
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('37 a disabled service, an unknown one and a weight or size beyond its limits are refused before money moves', async () => {
  const ana = await seller(100)
  const { body: services } = await app.call(defaultServices, {}, admin.token)
  const { _id: id, name } = services.find(one => one.name === 'USPS Priority Mail Express')!
  const sold = async () =>
    (await app.call(sandboxPurchases, { query: {} }, admin.token)).body.purchases.length
  const before = await sold()
  await app.call(toggleDefaultService, { params: { id }, body: { enabled: false } }, admin.token)
  const tries = [
    await placeLabel(ana, { service_name: name }),
    await placeLabel(ana, { service_name: 'USPS First Class' }),
    await placeLabel(ana, { service_name: '' }),
    await placeLabel(ana, { package: { package_weight: 70.1 } }),
    await placeLabel(ana, { package: { package_weight: 500 } }),
    await placeLabel(ana, { package: { package_weight: '0.00000000000000001' } }),
    await placeLabel(ana, { package: { package_length: 999 } }),
  ]
  expect(tries.map(({ status }) => status)).toEqual(Array(7).fill(422))
  expect((await submit(ana, await init(ana), [row(1, { ServiceName: name })])).status).toBe(422)
  await app.call(toggleDefaultService, { params: { id }, body: { enabled: true } }, admin.token)
  expect([await balance(ana), await sold()]).toEqual([100, before])
})

test('38 no user can invite themselves, be invited twice, or by a user who came through them', async () => {
  const [ana, ben, cleo] = [await app.register(), await app.register(), await app.register()]
  const apply = async (who: TestUser, by: TestUser) =>
    (await app.call(applyReferral, { body: { referralCode: by.user.referralCode } }, who.token))
      .status
  expect(await apply(ana, ana)).toBe(422)
  expect([await apply(ben, ana), await apply(ben, cleo)]).toEqual([200, 422])
  expect(await apply(cleo, ben)).toBe(200)
  expect([await apply(ana, ben), await apply(ana, cleo)]).toEqual([422, 422])
  // All at once: a circle of two needs both to be first.
  const [dan, eva] = [await app.register(), await app.register()]
  expect((await Promise.all([apply(dan, eva), apply(eva, dan)])).toSorted()).toEqual([200, 422])
  const own = {
    name: 'Own',
    email: 'own@example.com',
    password: PASSWORD,
    confirmPassword: PASSWORD,
    referralCode: 'NOBODYS1',
  }
  expect((await app.call(register, { body: own })).status).toBe(422)
})
