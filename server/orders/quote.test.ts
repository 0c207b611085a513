import { expect, test } from 'vitest'
import { quotePrice } from '#contract/orders.ts'
import { testApp } from '#tests/support/app.ts'

const app = await testApp()

const shipment = (weight: number, service = 'USPS Ground Advantage') => ({
  service_name: service,
  package: { package_weight: weight },
})

test('one parcel that is too heavy hides the price of no other', async () => {
  const ana = await app.register()
  const shipments = [shipment(2), shipment(88), shipment(1, 'USPS Priority Mail')]
  const quote = (each?: boolean) =>
    app.call(quotePrice, { body: { userId: ana.user._id, shipments, each } }, ana.token)
  expect((await quote()).status).toBe(422)
  expect(await quote(true)).toMatchObject({
    status: 200,
    body: {
      totalPrice: 16,
      prices: [
        { price: 6.5 },
        { reason: 'Weight must be at most 70 lb', code: 'weight_above_limit' },
        { price: 9.5 },
      ],
    },
  })
})

test('5,000 parcels are priced one by one, and their sum is the total', async () => {
  const ana = await app.register()
  const shipments = Array.from({ length: 5_000 }, (_, n) => shipment(n % 100 === 0 ? 71 : 3))
  const { status, body } = await app.call(
    quotePrice,
    { body: { userId: ana.user._id, shipments, each: true } },
    ana.token,
  )
  expect(status).toBe(200)
  expect(body.prices).toHaveLength(5_000)
  expect(body.prices!.filter(one => 'reason' in one)).toHaveLength(50)
  expect(body.totalPrice).toBe(4_950 * 6.5)
})
