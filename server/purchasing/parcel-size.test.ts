import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch, retryFailedLabels } from '#contract/batches.ts'
import { placeOrder, quotePrice } from '#contract/orders.ts'
import { testApp } from '#tests/support/app.ts'
import { row, singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const ana = await app.register()
await app.creditDollars(ana.user._id, 100)
const balance = async () => (await app.call(verifySession, {}, ana.token)).body.user.balance
const TOO_LARGE = 'Length plus girth is 4,995 in; USPS Priority Mail takes at most 108 in'
const LARGE = { package_length: 999, package_width: 999, package_height: 999, package_weight: 70 }
const LARGE_ROW = { PackageLength: '999', PackageWidth: '999', PackageHeight: '999' }

const submit = async (orderData: unknown[]) => {
  const { orderId } = (await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token))
    .body
  const answer = await app.call(
    processBatch,
    { params: { userId: ana.user._id }, body: { orderId, orderData } },
    ana.token,
  )
  return { orderId, ...answer }
}

test('no price is quoted and no money moves for a parcel that the carrier does not take', async () => {
  const single = await app.call(
    placeOrder,
    { body: singleOrderBody(ana.user._id, { package: LARGE }) },
    ana.token,
  )
  expect(single).toMatchObject({ status: 422, body: { errors: { package_length: TOO_LARGE } } })

  const bulk = await submit([row(1), row(2, { ...LARGE_ROW, ServiceName: 'USPS Priority Mail' })])
  expect(bulk).toMatchObject({ status: 422, body: { errors: { '2.PackageLength': TOO_LARGE } } })

  const shipments = [{ service_name: 'USPS Priority Mail', package: LARGE }]
  const quote = await app.call(quotePrice, { body: { userId: ana.user._id, shipments } }, ana.token)
  expect(quote).toMatchObject({ status: 422, body: { errors: { '1.PackageLength': TOO_LARGE } } })
  expect(await balance()).toBe(100)
})

test('a weight of almost nothing is not sold', async () => {
  const bulk = await submit([row(1, { PackageWeight: '0.00000000000000001' })])
  expect(bulk).toMatchObject({
    status: 422,
    body: { errors: { '1.PackageWeight': 'Weight must be at least 0.01 lb' } },
  })
  expect(await balance()).toBe(100)
})

test.each(['OZ', 'KG'])('a weight in another unit than pounds is refused: %s', async unit => {
  const parcel = { package_weight: 12, package_weight_unit: unit }
  const single = await app.call(
    placeOrder,
    { body: singleOrderBody(ana.user._id, { package: parcel }) },
    ana.token,
  )
  const fault = `must be LB: weights are in pounds, not "${unit}"`
  expect(single).toMatchObject({
    status: 400,
    body: { errors: { 'package.package_weight_unit': fault } },
  })
  const shipments = [{ service_name: 'USPS Priority Mail', package: parcel }]
  const quote = await app.call(quotePrice, { body: { userId: ana.user._id, shipments } }, ana.token)
  expect(quote).toMatchObject({ status: 400 })
  expect(await balance()).toBe(100)
})

test('a retry holds no money for a row that was accepted before its size was checked', async () => {
  const { orderId } = await submit([row(1, { ToStreet2: 'SANDBOX REFUSE-ONCE' })])
  await expect
    .poll(async () =>
      isTerminal((await app.call(batchStatus, { params: { orderId } }, ana.token)).body.status),
    )
    .toBe(true)
  await app.database.pool.query(
    `update shipment_order set package = package || '{"length": 999, "width": 999, "height": 999}' where batch_id = $1`,
    [orderId],
  )
  const before = await balance()
  const retried = await app.call(retryFailedLabels, { params: { orderId } }, ana.token)
  expect(retried).toMatchObject({
    status: 422,
    body: {
      message:
        'Row 1: Length plus girth is 4,995 in; USPS Ground Advantage takes at most 130 in. Correct the row and submit it again.',
    },
  })
  expect(await balance()).toBe(before)
})

test('a refused order names its fields as the call did, and a carrier that is not sold is refused', async () => {
  const place = (change: object) =>
    app.call(placeOrder, { body: { ...singleOrderBody(ana.user._id), ...change } }, ana.token)
  const { package: parcel } = singleOrderBody(ana.user._id)
  const named = async (change: object) =>
    Object.keys((await place({ package: { ...parcel, ...change } })).body.errors ?? {})
  const [none, long] = [{ quantity: null, sku_number: null }, 'x'.repeat(70)]
  expect(await named({ ...none, package_reference1: 0.5 })).toEqual(['package_reference1'])
  expect(await named({ ...none, quantity: 0.5 })).toEqual(['quantity'])
  expect(await named({ ...none, package_reference2: long })).toEqual(['package_reference2'])
  expect(await named({ ...none, sku_number: long })).toEqual(['sku_number'])
  expect(await place({ courier: 'FedEx' })).toMatchObject({
    status: 422,
    body: { errors: { courier: 'Only USPS labels are sold here, not "FedEx": leave courier out' } },
  })
  for (const courier of ['USPS', '', null]) expect((await place({ courier })).status).toBe(200)
})
