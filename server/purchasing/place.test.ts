import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { retryCarrier, sandboxPurchases } from '#contract/carriers.ts'
import { downloadFile } from '#contract/downloads.ts'
import { statement } from '#contract/ledger.ts'
import { listOrders, placeOrder, quotePrice, totalOrders } from '#contract/orders.ts'
import { SANDBOX_ACCOUNT } from '#server/carriers/sandbox/adapter.ts'
import { lockLosses, pauseForAdministrator } from '#server/carriers/service.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { placeAndWait, voidAndWait } from '#tests/support/patient-calls.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const admin = await app.admin()

async function seller(dollars = 100): Promise<TestUser> {
  const visitor = await app.register()
  if (dollars > 0) await app.creditDollars(visitor.user._id, dollars)
  return visitor
}
const place = (by: TestUser, changes: Parameters<typeof singleOrderBody>[1] = {}) =>
  app.call(placeOrder, { body: singleOrderBody(by.user._id, changes) }, by.token)
const balance = async (of: TestUser) =>
  (await app.call(verifySession, {}, of.token)).body.user.balance
const sold = async (orderId: string) =>
  (await app.call(sandboxPurchases, { query: { reference: orderId } }, admin.token)).body.purchases

test('a single label is bought at the quoted price, and its PDF shows the order', async () => {
  const ana = await seller()
  const {
    body: { totalPrice },
  } = await app.call(
    quotePrice,
    {
      body: {
        userId: ana.user._id,
        shipments: [{ service_name: 'USPS Priority Mail', package: { package_weight: 2 } }],
      },
    },
    ana.token,
  )
  const { status, body } = await place(ana)
  expect(status, body.message).toBe(200)
  expect(body.data.price).toBe(totalPrice)
  expect(await balance(ana)).toBe(100 - totalPrice)

  const file = await app.send({
    url: `/api/orders/download/v2/${body.data.pdfName}`,
    headers: { token: ana.token },
  })
  expect(file.statusCode).toBe(200)
  const [page, ...others] = await readPdf(file.rawPayload)
  expect(others).toHaveLength(0)
  expect(page!.text).toContain('JUNE RIVERA')
  expect(page!.text).toContain('NOT VALID FOR POSTAGE')
  expect((await page!.barcode())?.text.replace(/\D/g, '')).toBe(
    `42000000${body.data.trackingNumber}`,
  )

  const { body: listed } = await app.call(
    listOrders,
    { params: { userId: ana.user._id }, query: {} },
    ana.token,
  )
  expect(listed.orders).toMatchObject([
    {
      _id: body.data.orderId,
      status: 'completed',
      tracking_number: body.data.trackingNumber,
      price: totalPrice,
    },
  ])
  expect((await sold(body.data.orderId)).map(label => label.trackingNumber)).toEqual([
    body.data.trackingNumber,
  ])
})

test('an order without enough money is refused with price and balance, and nothing is sold', async () => {
  const ben = await seller(5)
  const { status, body } = await place(ben)
  expect(status).toBe(402)
  expect(body.message).toBe('Insufficient balance: this order costs $9.50; your balance is $5.00.')
  expect(
    (await app.call(totalOrders, { params: { userId: ben.user._id } }, ben.token)).body.totalOrders,
  ).toBe(0)
  expect(await balance(ben)).toBe(5)
})

test('a refused label releases its hold and shows the reason', async () => {
  const cara = await seller()
  const { status, body } = await place(cara, { receiver: { receiver_address2: 'Sandbox refuse' } })
  expect(status).toBe(422)
  expect(body.message).toBe('The label was not bought: Address not deliverable')
  expect(await balance(cara)).toBe(100)
  const {
    body: { entries },
  } = await app.call(statement, { params: { userId: cara.user._id }, query: {} }, cara.token)
  expect(entries.map(entry => [entry.kind, entry.amount])).toEqual([
    ['release', 9.5],
    ['hold', -9.5],
    ['deposit', 100],
  ])
})

test('an order during a pause for losses is held and waits, and is bought once when purchases resume', async () => {
  const dan = await seller(20)
  await app.database.tx(async tx => {
    await lockLosses(tx, SANDBOX_ACCOUNT)
    await pauseForAdministrator(tx, SANDBOX_ACCOUNT, 'Correct the prices')
  })
  const { status, body } = await place(dan)
  expect([status, body.message]).toEqual([
    202,
    'The label is waiting for the carrier. It will appear in Orders.',
  ])
  expect([await sold(body.data.orderId), await balance(dan)]).toEqual([[], 10.5])
  expect((await app.call(retryCarrier, { query: {} }, admin.token)).status).toBe(200)
  await expect.poll(async () => (await sold(body.data.orderId)).length).toBe(1)
  expect(await balance(dan)).toBe(10.5)
})

test.each(['SANDBOX LOST', 'SANDBOX LATE', 'SANDBOX BUSY'])(
  '%s: the label is bought once and the buyer gets it',
  async command => {
    const dora = await seller()
    const order = singleOrderBody(dora.user._id, { receiver: { receiver_address2: command } })
    const { status, body } = await placeAndWait(app, order, dora.token)
    expect(status, body.message).toBe(200)
    expect(await sold(body.data.orderId)).toMatchObject([
      { trackingNumber: body.data.trackingNumber, round: 1 },
    ])
    expect(await balance(dora)).toBe(90.5)
  },
)

test('the same request twice under one Idempotency-Key is one label; another request under it is refused', async () => {
  const eve = await seller()
  const send = (body: object) =>
    app.send({
      method: 'POST',
      url: '/api/orders/v2',
      headers: { token: eve.token, 'idempotency-key': 'monday-1' },
      payload: body,
    })
  const answers = await Promise.all([1, 2, 3].map(() => send(singleOrderBody(eve.user._id))))
  expect(answers.map(answer => answer.statusCode)).toEqual([200, 200, 200])
  expect(new Set(answers.map(answer => answer.json().data.orderId)).size).toBe(1)
  expect(await balance(eve)).toBe(90.5)
  expect(
    (await send(singleOrderBody(eve.user._id, { package: { package_weight: 3 } }))).statusCode,
  ).toBe(409)
})

test('an Idempotency-Key that is too long is refused, since its end would not tell two orders apart', async () => {
  const ida = await seller()
  const answer = await app.send({
    method: 'POST',
    url: '/api/orders/v2',
    headers: { token: ida.token, 'idempotency-key': 'k'.repeat(201) },
    payload: singleOrderBody(ida.user._id),
  })
  expect([answer.statusCode, answer.json().code]).toEqual([422, 'too_long'])
  expect(await balance(ida)).toBe(100)
})

test('an empty Idempotency-Key is refused, since a repeat of the request would buy a second label', async () => {
  const una = await seller()
  const answer = await app.send({
    method: 'POST',
    url: '/api/orders/v2',
    headers: { token: una.token, 'idempotency-key': '' },
    payload: singleOrderBody(una.user._id),
  })
  expect([answer.statusCode, answer.json().code]).toEqual([422, 'required'])
  expect(await balance(una)).toBe(100)
})

test('a repeated request after a void gets the same response, and its file is gone', async () => {
  const fay = await seller()
  const send = () =>
    app.send({
      method: 'POST',
      url: '/api/orders/v2',
      headers: { token: fay.token, 'idempotency-key': 'tuesday-1' },
      payload: singleOrderBody(fay.user._id),
    })
  const first = (await send()).json()
  expect(await voidAndWait(app, first.data.orderId, fay.token)).toBe(200)
  const again = await send()
  expect([again.statusCode, again.json()]).toEqual([200, first])
  expect(await balance(fay)).toBe(100)
  const file = await app.send({
    url: `/api/orders/download/v2/${first.data.pdfName}`,
    headers: { token: fay.token },
  })
  expect([file.statusCode, file.json().message]).toEqual([
    404,
    'This label was voided and cannot be printed anymore',
  ])
})

test('every wrong field is named as in the request', async () => {
  const finn = await seller()
  const { status, body } = await place(finn, {
    service_name: '',
    receiver: { receiver_zip_postal: '937', receiver_city: '' },
    package: { package_weight: 0, package_length: 'x' },
  })
  expect(status).toBe(422)
  expect(body.errors).toEqual({
    service_name: 'Please select a service',
    receiver_city: 'To City is required',
    receiver_zip_postal: expect.stringContaining('To Zip'),
    package_weight: 'Weight must be a positive number',
    package_length: 'Length must be a positive number',
  })
})

test('a weight above the limit and an unknown service are refused before money moves', async () => {
  const gil = await seller()
  expect((await place(gil, { package: { package_weight: 71 } })).body.errors).toEqual({
    package_weight: 'Weight must be at most 70 lb',
  })
  expect((await place(gil, { service_name: 'Pony Express' })).body.errors?.service_name).toContain(
    'Pony Express',
  )
  expect(await balance(gil)).toBe(100)
})

test('no user can read another user’s label or list, and a guessed name finds nothing', async () => {
  const [hal, ida] = [await seller(), await seller()]
  const { body } = await place(hal)
  const get = (name: string, token: string) =>
    app.send({ url: `/api/orders/download/v2/${name}`, headers: { token } })
  expect((await get(body.data.pdfName!, ida.token)).statusCode).toBe(404)
  expect(
    (await get(body.data.pdfName!.replace(/-[0-9a-f]{8}/, '-00000000'), hal.token)).statusCode,
  ).toBe(404)
  expect((await get('..%2F..%2Fetc%2Fpasswd', hal.token)).statusCode).toBe(404)
  expect(
    (await app.call(downloadFile, { params: { kind: 'v2', name: body.data.pdfName! }, query: {} }))
      .status,
  ).toBe(401)
  expect(
    (await app.call(listOrders, { params: { userId: hal.user._id }, query: {} }, ida.token)).status,
  ).toBe(403)
})

test('orders are found by tracking number, by name and by id', async () => {
  const jo = await seller()
  const first = (await place(jo)).body.data
  // The street number equals the order id.
  await place(jo, {
    receiver: { receiver_name: 'Otto Lindqvist', receiver_address1: `${first.orderId} Elm St` },
  })
  const search = async (text: string) =>
    (
      await app.call(
        listOrders,
        { params: { userId: jo.user._id }, query: { search: text } },
        jo.token,
      )
    ).body
  expect((await search('lindq')).orders).toMatchObject([
    { receiver: { receiver_name: 'Otto Lindqvist' } },
  ])
  expect((await search(first.trackingNumber!.replace(/(....)/g, '$1 '))).orders).toMatchObject([
    { _id: first.orderId },
  ])
  expect((await search(first.orderId)).orders.map(order => order._id)).toContain(first.orderId)
  expect((await search(`#${first.orderId}`)).orders.map(order => order._id)).toEqual([
    first.orderId,
  ])
  expect(await search('100%')).toEqual({ orders: [], totalCount: 0, more: false })
})
