import { expect, test } from 'vitest'
import { setUserActivation, verifySession } from '#contract/accounts.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { defaultServices, setDefaultServicePrices } from '#contract/catalogue.ts'
import { statement } from '#contract/ledger.ts'
import { placeOrder, quotePrice } from '#contract/orders.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { placeAndWait, untilAdmitted } from '#tests/support/patient-calls.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const admin = await app.admin()

async function seller(dollars: number): Promise<TestUser> {
  const visitor = await app.register()
  await app.creditDollars(visitor.user._id, dollars)
  return visitor
}
const place = (by: TestUser, street2 = '') =>
  placeAndWait(
    app,
    singleOrderBody(by.user._id, { receiver: { receiver_address2: street2 } }),
    by.token,
  )
const init = async (by: TestUser) =>
  (await app.call(initBatch, { body: { userId: by.user._id } }, by.token)).body.orderId
const submit = (by: TestUser, orderId: string, street2 = '') => {
  const orderData = rows(5, () => ({ ToStreet2: street2 }))
  const input = { params: { userId: by.user._id }, body: { orderId, orderData } }
  return untilAdmitted(() => app.call(processBatch, input, by.token))
}
const money = async (of: TestUser) => {
  const { balance, totalDeposit, totalSpent } = (await app.call(verifySession, {}, of.token)).body
    .user
  return { balance, totalDeposit, totalSpent }
}
const entries = async (of: TestUser) =>
  (
    await untilAdmitted(() =>
      app.call(statement, { params: { userId: of.user._id }, query: {} }, of.token),
    )
  ).body.entries

test('bulk orders and single labels bought at the same moment never spend the same money twice', async () => {
  const ben = await seller(50)
  const ids = [await init(ben), await init(ben), await init(ben)]
  const answers = await Promise.all([
    ...ids.map(orderId => submit(ben, orderId)),
    ...Array.from({ length: 8 }, () => place(ben)),
  ])
  const accepted = answers.filter(answer => answer.status !== 402)
  expect(
    accepted.map(answer => answer.status).every(status => status === 200 || status === 202),
  ).toBe(true)
  const { balance } = await money(ben)
  expect(balance).toBeGreaterThanOrEqual(0)
  expect(50 - balance).toBe(
    answers.slice(0, 3).filter(one => one.status === 202).length * 32.5
      + answers.slice(3).filter(one => one.status !== 402).length * 9.5,
  )
  expect(balance).toBeLessThan(9.5) // no request was refused that could have been paid
})

test('a statement adds up to the balance, its running balance never skips a cent, and refused labels count as nothing spent', async () => {
  const cara = await seller(100)
  await Promise.all([
    place(cara),
    place(cara, 'SANDBOX REFUSE'),
    place(cara, 'SANDBOX LOST'),
    place(cara, 'SANDBOX BUSY'),
    place(cara),
  ])
  const all = await entries(cara)
  expect(all).toHaveLength(1 + 5 + 1)
  const sum = all.reduce((total, entry) => total + Math.round(entry.amount * 100), 0) / 100
  expect(await money(cara)).toEqual({ balance: sum, totalDeposit: 100, totalSpent: 38 })
  all.forEach((entry, i) =>
    expect(entry.balance).toBeCloseTo((all[i + 1]?.balance ?? 0) + entry.amount, 6),
  )
})

test('a statement read during purchases is consistent', async () => {
  const dora = await seller(300)
  const buying = Promise.all(Array.from({ length: 20 }, () => place(dora)))
  for (let i = 0; i < 20; i++) {
    const seen = await entries(dora)
    const sum = seen.reduce((total, entry) => total + Math.round(entry.amount * 100), 0) / 100
    expect(seen[0]!.balance).toBe(sum)
  }
  await buying
})

test('a free service can be bought without money, and the books record it', async () => {
  const { body: services } = await app.call(defaultServices, {}, admin.token)
  const express = services.find(service => service.uid.endsWith('EXPRESS'))!
  const prices = [{ fromWeight: 1, toWeight: 70, price: 0 }]
  const free = await app.call(
    setDefaultServicePrices,
    { params: { id: express._id }, body: { prices } },
    admin.token,
  )
  expect(free.status, free.body.message).toBe(200)
  const eve = await app.register()
  const { status, body } = await app.call(
    placeOrder,
    { body: singleOrderBody(eve.user._id, { service_name: express.name }) },
    eve.token,
  )
  expect([status, body.data?.price]).toEqual([200, 0])
  expect((await entries(eve)).map(entry => [entry.kind, entry.amount])).toEqual([['hold', 0]])
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test.each([-1, 0.001, 1e-9, 1e12, '5', null])('a price of %s is refused', async price => {
  const [service] = (await app.call(defaultServices, {}, admin.token)).body
  const answer = await app.call(
    setDefaultServicePrices,
    {
      params: { id: service!._id },
      body: { prices: [{ fromWeight: 1, toWeight: 70, price: price as number }] },
    },
    admin.token,
  )
  expect(answer.status).toBe(400)
})

test('quotes are exact to the cent for any number of parcels', async () => {
  const finn = await app.register()
  const shipments = Array.from({ length: 3 }, () => ({
    service_name: 'USPS Ground Advantage',
    package: { package_weight: 0.01 },
  }))
  expect(
    (await app.call(quotePrice, { body: { userId: finn.user._id, shipments } }, finn.token)).body
      .totalPrice,
  ).toBe(19.5)
})

test('the bulk order of a blocked user is still finished, and the user cannot see it', async () => {
  const gil = await seller(100)
  const orderId = await init(gil)
  await submit(gil, orderId, 'SANDBOX BUSY')
  await app.call(
    setUserActivation,
    { params: { userId: gil.user._id }, body: { activation: 'block' } },
    admin.token,
  )
  expect((await app.call(verifySession, {}, gil.token)).status).toBe(401)
  const status = async () =>
    (await app.call(batchStatus, { params: { orderId } }, admin.token)).body.status
  await expect.poll(status).toBe('completed')
})
