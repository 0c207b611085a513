import { expect, test } from 'vitest'
import { quotePrice } from '#contract/orders.ts'
import { testApp } from '#tests/support/app.ts'
import { bulkOrdersOf } from '#tests/support/bulk-orders.ts'
import { LIVE_UID, withLiveService } from '#tests/support/live-service.ts'
import { row, rows } from '#tests/support/rows.ts'

const app = await testApp()
const { carrier } = app
const { costs, aDayPasses, customer } = await withLiveService(app)
const { submit, finished, labelsOf } = bulkOrdersOf(app)

const LIVE = { ServiceName: LIVE_UID }
const liveRows = (count: number) => rows(count, () => LIVE)

test('rows of a live service share the quotes of equal parcels, and the total is charged to the cent', async () => {
  const ana = await customer()
  costs(5)
  const before = carrier.begun.quote
  const { status, body } = await submit(ana, [...liveRows(20), row(21)], {
    maxCost: 20 * 6.59 + 6.5,
  })
  expect(status, body.message).toBe(202)
  // Five receivers' ZIP codes.
  expect(carrier.begun.quote).toBe(before + 5)
  await finished(ana, body.orderId)
  const labels = await labelsOf(ana)
  expect(labels.filter(({ price }) => price === 6.59)).toHaveLength(20)
  const { rows: kept } = await app.database.pool.query(
    'select quoted_cents, count(*)::int from shipment_order where batch_id = $1 group by 1 order by 1',
    [body.orderId],
  )
  expect(kept).toEqual([
    { quoted_cents: 500, count: 20 },
    { quoted_cents: null, count: 1 },
  ])
})

test('what the price call told is what the rows cost, and after a day a higher total is refused', async () => {
  const ana = await customer()
  costs(5)
  const shipment = (one: ReturnType<typeof row>) => ({
    service_name: one.ServiceName,
    package: {
      package_weight: one.PackageWeight,
      package_length: one.PackageLength,
      package_width: one.PackageWidth,
      package_height: one.PackageHeight,
    },
    sender: { sender_zip_postal: one.FromZipPostal },
    receiver: { receiver_zip_postal: one.ToZipPostal },
  })
  const body = { userId: ana.user._id, shipments: liveRows(3).map(shipment) }
  const shown = await app.call(quotePrice, { body }, ana.token)
  expect(shown.body.totalPrice).toBe(19.77)
  costs(9)
  expect(await submit(ana, liveRows(3), { maxCost: 19.77 })).toMatchObject({ status: 202 })
  await aDayPasses()
  expect(await submit(ana, liveRows(3), { maxCost: 19.77 })).toMatchObject({
    status: 422,
    body: {
      code: 'price_changed',
      message: 'These labels cost $34.17, more than maxCost $19.77. Nothing was bought.',
    },
  })
})

test('a row that the carrier quotes nothing for is named, and nothing is bought', async () => {
  const ana = await customer()
  carrier.losesResponses = true
  const { status, body } = await submit(ana, [row(1), row(2, LIVE)])
  expect({ status, codes: body.codes, errors: body.errors }).toEqual({
    status: 422,
    codes: { '2.ServiceName': 'carrier_price_missing' },
    errors: { '2.ServiceName': 'The carrier did not tell a price. Try again' },
  })
  expect(await labelsOf(ana)).toEqual([])
})

test('a repeated submission finds its bulk order without a question to the carrier', async () => {
  const ana = await customer()
  costs(5)
  const first = await submit(ana, liveRows(2))
  await aDayPasses()
  const before = carrier.begun.quote
  const again = await submit(ana, liveRows(2), { orderId: first.body.orderId })
  expect(again.status, again.body.message).toBe(202)
  expect(carrier.begun.quote).toBe(before)
})
