import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { defaultServices, initializeUserServices } from '#contract/catalogue.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import {
  optionPrices,
  priceOptions,
  priceParcelOptions,
  priceTotals,
  setOptionPrices,
} from '#contract/price-options.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const admin = await app.admin()

async function seller(dollars = 100): Promise<TestUser> {
  const visitor = await app.register()
  await app.creditDollars(visitor.user._id, dollars)
  return visitor
}
const serviceId = async (uid: string): Promise<string> =>
  (await app.call(defaultServices, {}, admin.token)).body.find(one => one.uid === uid)!._id

type Prices = { signature: number | null; adult: number | null; saturday: number | null }
const setPrices = async (uid: string, prices: Prices, seenPrices?: Prices) =>
  app.call(
    setOptionPrices,
    { params: { id: await serviceId(uid) }, body: { prices, seenPrices } },
    admin.token,
  )
const NONE: Prices = { signature: null, adult: null, saturday: null }

const order = (by: TestUser, options: { signature?: 'signature' | 'adult'; saturday?: boolean }) =>
  app.call(placeOrder, { body: { ...singleOrderBody(by.user._id), ...options } }, by.token)
const balance = async (of: TestUser) =>
  (await app.call(verifySession, {}, of.token)).body.user.balance

const optionsOf = (by: TestUser, parcel: { weight?: number | string; length?: number } = {}) =>
  app.call(priceParcelOptions, { params: { userId: by.user._id }, body: parcel }, by.token)

test('an option without a price is not offered, and nothing is bought or held', async () => {
  const ana = await seller()
  const { status, body } = await order(ana, { signature: 'signature', saturday: true })
  expect(status).toBe(422)
  expect(body.code).toBe('option_not_offered')
  expect(body.errors).toEqual({
    signature: 'Signature on delivery is not for sale with USPS Priority Mail',
    saturday: 'Saturday delivery is not for sale with USPS Priority Mail',
  })
  expect(await balance(ana)).toBe(100)
})

test('the price that is shown for a service and its options is the price that is charged', async () => {
  const ben = await seller()
  expect(
    (await setPrices('usps:PRIORITY_MAIL', { signature: 3.7, adult: 9.35, saturday: 0 })).status,
  ).toBe(200)
  const { body: shown } = await optionsOf(ben, { weight: 2 })
  const priority = shown.options.find(one => one.uid === 'usps:PRIORITY_MAIL')!
  expect(priority).toMatchObject({
    price: 9.5,
    reason: null,
    signature: { price: 3.7, reason: null },
    adult: { price: 9.35 },
    saturday: { price: 0 },
  })
  const bought = await order(ben, { signature: 'adult', saturday: true })
  expect(bought.status, bought.body.message).toBe(200)
  expect(bought.body.data.price).toBe(18.85)
  expect(await balance(ben)).toBe(81.15)
  const { rows } = await app.database.pool.query(
    'select price_cents, options_cents, signature, saturday from shipment_order where id = $1',
    [bought.body.data.orderId],
  )
  expect(rows).toEqual([
    { price_cents: 1885, options_cents: 935, signature: 'adult', saturday: true },
  ])
  const { body: listed } = await app.call(
    listOrders,
    { params: { userId: ben.user._id }, query: {} },
    ben.token,
  )
  expect(listed.orders).toMatchObject([{ signature: 'adult', saturday: true, price: 18.85 }])

  const file = await app.send({
    url: `/api/orders/download/v2/${bought.body.data.pdfName}`,
    headers: { token: ben.token },
  })
  const [page] = await readPdf(file.rawPayload)
  for (const printed of ['ADULT SIGNATURE', 'REQUIRED, 21+', 'SATURDAY', 'DELIVERY'])
    expect(page!.text).toContain(printed)
})

test('a label without options costs and prints what it did before', async () => {
  const cara = await seller()
  const { body } = await order(cara, {})
  expect(body.data.price).toBe(9.5)
  const file = await app.send({
    url: `/api/orders/download/v2/${body.data.pdfName}`,
    headers: { token: cara.token },
  })
  expect((await readPdf(file.rawPayload))[0]!.text).not.toContain('SIGNATURE')
})

test('users with prices of their own pay the same for options', async () => {
  const dora = await seller()
  await app.call(initializeUserServices, { params: { userId: dora.user._id } }, admin.token)
  await setPrices('usps:PRIORITY_MAIL', { ...NONE, signature: 4 })
  expect((await order(dora, { signature: 'signature' })).body.data.price).toBe(13.5)
})

test('option prices are not overwritten by an administrator who saw others', async () => {
  const uid = 'usps:GROUND_ADVANTAGE'
  expect((await setPrices(uid, { ...NONE, signature: 3 }, NONE)).status).toBe(200)
  const late = await setPrices(uid, { ...NONE, signature: 5 }, NONE)
  expect(late).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  expect(late.body.message).toContain('Signature on delivery: $3.00')
  const { body } = await app.call(optionPrices, {}, admin.token)
  expect(body.find(one => one.uid === uid)).toMatchObject({
    signature: { offered: true, price: 3 },
    saturday: { offered: true, price: null },
  })
})

test('every service tells its price, its limit and days, or why it does not take the parcel', async () => {
  const emma = await seller(0.01)
  const { body: heavy } = await optionsOf(emma, { weight: '71' })
  expect(heavy.options).toHaveLength(3)
  for (const one of heavy.options)
    expect(one).toMatchObject({
      price: null,
      maxWeight: 70,
      reason: { code: 'weight_above_limit', text: 'Weight must be at most 70 lb' },
      deliveryDays: { from: expect.any(Number), to: expect.any(Number) },
    })
  const { status, body } = await app.call(
    priceOptions,
    { params: { userId: emma.user._id }, query: {} },
    emma.token,
  )
  expect(status).toBe(200)
  expect(body.options.map(one => one.price)).toEqual([6.5, 9.5, 29])
})

test('the totals of many parcels are the sums of their prices, and each is cheapest where it fits', async () => {
  const fay = await seller(0.01)
  const totals = (parcels: { weight: number | string; count?: number }[]) =>
    app.call(priceTotals, { params: { userId: fay.user._id }, body: { parcels } }, fay.token)
  const { status, body } = await totals([{ weight: 2, count: 3 }, { weight: 71 }, { weight: '' }])
  expect(status, body.message).toBe(200)
  expect(body.services.map(({ total, labels }) => [total, labels])).toEqual([
    [26, 4],
    [38, 4],
    [116, 4],
  ])
  expect(body.services[0]!.reason?.text).toBe('Weight must be at most 70 lb')
  expect(body.cheapest).toEqual({ total: 26, labels: 4, choices: [0, null, 0] })
  expect((await totals([{ weight: 1, count: 50_000 }, { weight: 1 }])).status).toBe(422)
})
