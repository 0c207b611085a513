import { expect, onTestFinished, test, vi } from 'vitest'
import { availableServices } from '#contract/catalogue.ts'
import { placeOrder, quotePrice } from '#contract/orders.ts'
import { priceOptions, priceTotals } from '#contract/price-options.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { LIVE_UID as UID, withLiveService } from '#tests/support/live-service.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const { carrier } = app
const { costs, aDayPasses, customer } = await withLiveService(app)
const GROUND = 'usps:GROUND_ADVANTAGE'

// That of singleOrderBody.
const parcel = { weight: 2, length: 9, width: 6, height: 3, fromZip: '78701', toZip: '93701' }
const shipment = (more: Partial<typeof parcel> = {}, service = UID) => {
  const { weight, length, width, height, fromZip, toZip } = { ...parcel, ...more }
  return {
    service_name: service,
    package: {
      package_weight: weight,
      package_length: length,
      package_width: width,
      package_height: height,
    },
    sender: { sender_zip_postal: fromZip },
    receiver: { receiver_zip_postal: toZip },
  }
}
async function priceEach(user: TestUser, shipments: object[]) {
  const body = { userId: user.user._id, shipments, each: true }
  const { status, body: answer } = await app.call(quotePrice, { body }, user.token)
  expect(status).toBe(200)
  return answer.prices!
}
const order = (user: TestUser, agreed?: number) =>
  app.call(
    placeOrder,
    { body: { ...singleOrderBody(user.user._id), agreed_price: agreed } },
    user.token,
  )
const quotedOf = async (orderId: string) => {
  const { rows } = await app.database.pool.query(
    `select o.price_cents, o.quoted_cents, p.rule, p.cost_version_id from shipment_order o
       join price_version p on p.id = o.price_version_id where o.id = $1`,
    [orderId],
  )
  return rows[0]
}

test('the price is the carrier’s by the rule, and what was shown is what is paid', async () => {
  const ana = await customer()
  costs(6.2)
  const before = carrier.begun.quote
  expect(await priceEach(ana, [shipment()])).toEqual([{ price: 7.99 }])
  costs(9)
  expect(await priceEach(ana, [shipment()])).toEqual([{ price: 7.99 }])
  const bought = await order(ana, 7.99)
  expect(bought.body.data).toMatchObject({ price: 7.99, trackingNumber: expect.any(String) })
  expect(carrier.begun.quote).toBe(before + 1)
  expect(await quotedOf(bought.body.data.orderId)).toEqual({
    price_cents: 799,
    quoted_cents: 620,
    rule: { basisPoints: 2000, fixedCents: 50, floorCents: 0, rounding: 'nine', live: true },
    cost_version_id: null,
  })
})

test('after 24 hours the carrier is asked again, and at a higher price nothing is bought', async () => {
  const ana = await customer()
  costs(6.2)
  expect(await priceEach(ana, [shipment()])).toEqual([{ price: 7.99 }])
  await aDayPasses()
  costs(9)
  expect(await order(ana, 7.99)).toMatchObject({
    status: 422,
    body: {
      code: 'price_changed',
      message: 'The price of USPS Priority Mail is $11.39 now, not $7.99. Nothing was bought.',
    },
  })
  expect((await order(ana, 11.39)).body.data.price).toBe(11.39)
})

/** The clock of leases that this process measures, until the test ends. */
function setClockAhead(ms: number): void {
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
  onTestFinished(() => void clock.mockRestore())
}

test('a label is bought in the same request although the carrier took long to tell its price', async () => {
  const ana = await customer()
  const { config } = app.ctx
  const { carrierTimeoutMs } = config
  // Of the claim's 15 s a call may take 10, so that it has to begin within 5.
  Object.assign(config, { carrierTimeoutMs: 10_000 })
  costs(6.2)
  const before = { ...carrier.begun }
  const release = carrier.hold('quote')
  const placed = order(ana, 7.99)
  await expect.poll(() => carrier.begun.quote).toBe(before.quote + 1)
  setClockAhead(5_200)
  release()
  const { status, body } = await placed
  Object.assign(config, { carrierTimeoutMs })
  expect(status, body.message).toBe(200)
  expect(body.data).toMatchObject({ price: 7.99, trackingNumber: expect.any(String) })
  // Bought, and not looked up after the claim has ended unused.
  expect(carrier.begun).toMatchObject({ lookup: before.lookup, purchase: before.purchase + 1 })
})

test('two customers who ask at the same time cause one question', async () => {
  const [ana, ben] = [await customer(), await customer()]
  costs(5)
  const before = carrier.begun.quote
  const release = carrier.hold('quote')
  const asked = [ana, ben].map(user => priceEach(user, [shipment(), shipment({ weight: 3 })]))
  await expect.poll(() => carrier.begun.quote).toBe(before + 2)
  release()
  expect(await Promise.all(asked)).toEqual([
    [{ price: 6.59 }, { price: 6.59 }],
    [{ price: 6.59 }, { price: 6.59 }],
  ])
  expect(carrier.begun.quote).toBe(before + 2)
})

test('an answer that is lost leaves the parcel without a price, and other services are unharmed', async () => {
  const ana = await customer()
  carrier.losesResponses = true
  expect(await priceEach(ana, [shipment(), shipment({}, GROUND)])).toEqual([
    {
      reason: 'The carrier did not tell a price. Try again',
      code: 'carrier_price_missing',
    },
    { price: 6.5 },
  ])
  const refused = await order(ana)
  expect(refused).toMatchObject({
    status: 422,
    body: { codes: { service_name: 'carrier_price_missing' } },
  })
  carrier.losesResponses = false
  costs(5)
  expect(await priceEach(ana, [shipment()])).toEqual([{ price: 6.59 }])
})

test('a parcel that the carrier refuses has its words, and is not asked about again at once', async () => {
  const ana = await customer()
  carrier.quotes = { ok: false, kind: 'permanent', code: 'NO_RATE', message: 'No such route' }
  const before = carrier.begun.quote
  const told = {
    reason: 'The carrier did not tell a price: No such route',
    code: 'carrier_price_missing',
  }
  expect(await priceEach(ana, [shipment()])).toEqual([told])
  expect(await priceEach(ana, [shipment()])).toEqual([told])
  expect(carrier.begun.quote).toBe(before + 1)
})

test('a problem of the operator’s account is not told to customers', async () => {
  const ana = await customer()
  carrier.quotes = { ok: false, kind: 'account', code: 'KEY', message: 'The key sk_1 is not valid' }
  const [price] = await priceEach(ana, [shipment()])
  expect(price).toMatchObject({ reason: 'The carrier did not tell a price. Try again' })
})

test('what the carrier needs to tell a price is asked of the customer, and not of the carrier', async () => {
  const ana = await customer()
  const before = carrier.begun.quote
  const body = {
    userId: ana.user._id,
    shipments: [{ service_name: UID, package: { package_weight: 1 } }],
    each: true,
  }
  const { body: answer } = await app.call(quotePrice, { body }, ana.token)
  expect(answer.prices).toEqual([
    {
      reason:
        'Length, width and height are needed: the carrier tells the price of USPS Priority Mail',
      code: 'required',
    },
  ])
  expect(await priceEach(ana, [shipment({ toZip: '' }), shipment({ weight: 71 })])).toMatchObject([
    { code: 'required' },
    { code: 'weight_above_limit' },
  ])
  expect(carrier.begun.quote).toBe(before)
})

test('services side by side show the quote or why there is none', async () => {
  const ana = await customer()
  costs(5)
  const params = { userId: ana.user._id }
  const options = await app.call(priceOptions, { params, query: parcel }, ana.token)
  const live = options.body.options.find(({ uid }) => uid === UID)
  expect(live).toMatchObject({ price: 6.59, reason: null, maxWeight: 70 })
  const parcels = [parcel, { ...parcel, toZip: '' }]
  const totals = await app.call(priceTotals, { params, body: { parcels } }, ana.token)
  expect(totals.body.services.find(({ uid }) => uid === UID)).toMatchObject({
    total: 6.59,
    labels: 1,
    reason: { code: 'required' },
  })
  expect(totals.body.cheapest).toMatchObject({ total: 13, labels: 2 })
})

test('pages learn that a service is priced by the carrier', async () => {
  const ana = await customer()
  const params = { userId: ana.user._id }
  const { body } = await app.call(availableServices, { params }, ana.token)
  expect(body.filter(one => one.pricedByCarrier).map(({ uid }) => uid)).toEqual([UID])
})

test('a repeated request finds its order without a question to the carrier', async () => {
  const ana = await customer()
  costs(5)
  const repeat = () =>
    app.send({
      method: 'POST',
      url: '/api/orders/v2',
      headers: { token: ana.token, 'idempotency-key': 'one' },
      payload: singleOrderBody(ana.user._id),
    })
  const first = (await repeat()).json()
  await aDayPasses()
  const before = carrier.begun.quote
  expect((await repeat()).json().data.orderId).toBe(first.data.orderId)
  expect(carrier.begun.quote).toBe(before)
})
