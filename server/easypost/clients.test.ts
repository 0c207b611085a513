/** A program written for EasyPost's client, with another base URL and key. */
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { defaultServices, setDefaultServicePrices } from '#contract/catalogue.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import { setOptionPrices } from '#contract/price-options.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import {
  easypostClient,
  FROM_ADDRESS,
  SHIPMENT,
  TO_ADDRESS,
} from '#tests/support/easypost-client.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()

async function seller(dollars = 100) {
  const user = await app.register()
  if (dollars > 0) await app.creditDollars(user.user._id, dollars)
  return { user, client: await easypostClient(app, user) }
}
const balance = async ({ token }: TestUser): Promise<number> =>
  (await app.call(verifySession, {}, token)).body.user.balance
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => ({ statusCode: 200 }),
    (error: { statusCode: number; code: string; message: string; errors: object[] }) => error,
  )

test('a shipment is rated, bought at its lowest rate, printed, followed and refunded', async () => {
  const { user, client } = await seller()
  const shipment = await client.Shipment.create({ ...SHIPMENT, reference: '#1001' })
  expect(shipment).toMatchObject({
    object: 'Shipment',
    mode: 'test',
    reference: '#1001',
    postage_label: null,
    messages: [],
  })
  expect(shipment.id).toMatch(/^shp_[0-9a-f]{32}$/)
  expect(
    shipment.rates.map((rate: { service: string; rate: string }) => [rate.service, rate.rate]),
  ).toEqual([
    ['GroundAdvantage', '6.50'],
    ['Priority', '9.50'],
    ['Express', '29.00'],
  ])
  expect(await balance(user)).toBe(100)

  const bought = await client.Shipment.buy(shipment.id, shipment.lowestRate(['USPS']))
  expect(bought).toMatchObject({
    id: shipment.id,
    selected_rate: { rate: '6.50', service: 'GroundAdvantage', delivery_days: 5 },
    tracker: { object: 'Tracker', shipment_id: shipment.id, tracking_code: bought.tracking_code },
    fees: [{ type: 'PostageFee', amount: '6.50000', refunded: false }],
    refund_status: null,
  })
  expect(await balance(user)).toBe(93.5)
  const { orders } = (
    await app.call(listOrders, { params: { userId: user.user._id }, query: {} }, user.token)
  ).body
  expect(orders).toMatchObject([
    { tracking_number: bought.tracking_code, price: 6.5, package: { package_weight: 15.4 / 16 } },
  ])

  const file = await fetch(bought.postage_label.label_pdf_url)
  expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const [page] = await readPdf(Buffer.from(await file.arrayBuffer()))
  expect(page!.text).toContain('NOT VALID FOR POSTAGE')
  const png = await fetch(bought.postage_label.label_url)
  expect(png.headers.get('content-type')).toBe('image/png')
  const converted = await client.Shipment.convertLabelFormat(shipment.id, 'ZPL')
  expect(converted.postage_label.label_file_type).toBe('application/zpl')
  expect(await (await fetch(converted.postage_label.label_url)).text()).toContain('^XA')

  const again = await refusal(client.Shipment.buy(shipment.id, shipment.lowestRate()))
  expect(again).toMatchObject({ statusCode: 422, code: 'SHIPMENT.POSTAGE.EXISTS' })

  const refunded = await client.Shipment.refund(shipment.id)
  expect(refunded.refund_status).toBe('refunded')
  expect(await balance(user)).toBe(100)
  for (const url of [bought.postage_label.label_pdf_url, converted.postage_label.label_url])
    expect((await fetch(url)).status).toBe(404)
  expect(await refusal(client.Shipment.buy(shipment.id, shipment.lowestRate()))).toMatchObject({
    code: 'SHIPMENT.POSTAGE.EXISTS',
  })
  expect((await client.Refund.all()).refunds).toMatchObject([
    { status: 'refunded', shipment_id: shipment.id, tracking_code: bought.tracking_code },
  ])
})

test('a shipment of kept addresses and a kept parcel is found by its reference, and bought with its service in one call', async () => {
  const { client } = await seller()
  const [from, to] = [
    await client.Address.create(FROM_ADDRESS),
    await client.Address.create(TO_ADDRESS),
  ]
  const parcel = await client.Parcel.create(SHIPMENT.parcel)
  expect(await client.Parcel.retrieve(parcel.id)).toMatchObject({ weight: 15.4, length: 10 })
  const shipment = await client.Shipment.create({
    from_address: { id: from.id },
    to_address: { id: to.id },
    parcel: { id: parcel.id },
    service: 'Priority',
    reference: 'cart 7/9',
    options: { label_format: 'PDF' },
  })
  expect(shipment.postage_label.label_file_type).toBe('application/pdf')
  const found = await client.Shipment.retrieve(encodeURIComponent('cart 7/9'))
  expect([found.id, found.from_address.id, found.to_address.id, found.parcel.id]).toEqual([
    shipment.id,
    from.id,
    to.id,
    parcel.id,
  ])
  const tracker = await client.Tracker.create({ tracking_code: shipment.tracking_code })
  expect(tracker).toMatchObject({ id: shipment.tracker.id, shipment_id: shipment.id })
  expect((await client.Tracker.retrieve(tracker.id)).tracking_code).toBe(shipment.tracking_code)
  const page = await fetch(tracker.public_url.replace('/track/', '/api/track/'))
  expect(await page.json()).toMatchObject({ trackingNumber: shipment.tracking_code })
  const refunded = await client.Shipment.refund(shipment.id)
  expect(refunded.tracker.public_url).toBeNull()
})

test('bought shipments are listed newest first, drafts when they are asked for, in pages', async () => {
  const { user, client } = await seller()
  const shipments = []
  for (const service of ['Priority', 'Priority', 'Priority', undefined])
    shipments.push(await client.Shipment.create({ ...SHIPMENT, service }))
  const ids = shipments.map(one => one.id).toReversed()
  const first = await client.Shipment.all({ page_size: 2 })
  expect([first.shipments.map((one: { id: string }) => one.id), first.has_more]).toEqual([
    ids.slice(1, 3),
    true,
  ])
  const second = await client.Shipment.getNextPage(first)
  expect([second.shipments.map((one: { id: string }) => one.id), second.has_more]).toEqual([
    ids.slice(3),
    false,
  ])
  const all = await client.Shipment.all({ purchased: false })
  expect(all.shipments.map((one: { id: string }) => one.id)).toEqual(ids)
  const newer = await client.Shipment.all({ after_id: ids[3], page_size: 1 })
  expect(newer.shipments.map((one: { id: string }) => one.id)).toEqual([ids[2]])
  const past = await client.Shipment.all({ end_datetime: '2020-01-01T00:00:00Z' })
  expect(past).toMatchObject({ shipments: [], has_more: false })

  // Trackers are of all labels, also of one that was bought on a page.
  await app.call(placeOrder, { body: singleOrderBody(user.user._id) }, user.token)
  const trackers = (await client.Tracker.all({ page_size: 3 })).trackers
  expect(trackers.map((one: { shipment_id: string }) => one.shipment_id)).toEqual([
    null,
    ids[1],
    ids[2],
  ])
})

test('an address is verified by its ZIP, state and city', async () => {
  const { client } = await seller(0)
  const wrong = { ...TO_ADDRESS, zip: '10001' }
  const told = await client.Address.create({ ...wrong, verify: true })
  expect(told.verifications.delivery).toMatchObject({
    success: false,
    errors: [{ code: 'E.STATE.INVALID', field: 'state', suggestion: 'NY' }],
  })
  expect(await refusal(client.Address.verifyAddress(told.id))).toMatchObject({
    statusCode: 422,
    code: 'ADDRESS.VERIFY.FAILURE',
    errors: [{ code: 'E.STATE.INVALID' }],
  })
  expect(await refusal(client.Address.create({ ...wrong, verify_strict: true }))).toMatchObject({
    code: 'ADDRESS.VERIFY.FAILURE',
  })
  const right = await client.Address.createAndVerify(TO_ADDRESS)
  expect(right.verifications.delivery).toMatchObject({ success: true, errors: [] })
  expect((await client.Address.verifyAddress(right.id)).id).toBe(right.id)
  expect(
    await refusal(client.Address.createAndVerify({ ...TO_ADDRESS, city: 'Boston' })),
  ).toMatchObject({ errors: [{ code: 'E.CITY_STATE.INVALID', suggestion: 'Redondo Beach' }] })
})

test('a shipment with a signature is rated with its price, bought at it, and rated by no service without', async () => {
  const { user, client } = await seller()
  const { token } = await app.admin()
  const { body: services } = await app.call(defaultServices, {}, token)
  const priority = services.find(one => one.uid === 'usps:PRIORITY_MAIL')!
  const prices = { signature: 3.7, adult: null, saturday: null }
  const set = { params: { id: priority._id }, body: { prices } }
  expect((await app.call(setOptionPrices, set, token)).status).toBe(200)
  const options = { delivery_confirmation: 'SIGNATURE' }
  const shipment = await client.Shipment.create({ ...SHIPMENT, options })
  expect(
    shipment.rates.map(({ service, rate }: { service: string; rate: string }) => [service, rate]),
  ).toEqual([['Priority', '13.20']])
  expect(JSON.stringify(shipment.messages)).toContain('not for sale with USPS Ground Advantage')
  const bought = await client.Shipment.buy(shipment.id, shipment.rates[0].id)
  expect(bought.options.delivery_confirmation).toBe('SIGNATURE')
  const { body } = await app.call(
    listOrders,
    { params: { userId: user.user._id }, query: {} },
    user.token,
  )
  expect(body.orders[0]).toMatchObject({ signature: 'signature', price: 13.2 })
  for (const wrong of [{ delivery_confirmation: 'CARRIER_PIGEON' }, { saturday_delivery: true }])
    expect(await refusal(client.Shipment.create({ ...SHIPMENT, options: wrong }))).toMatchObject({
      statusCode: 422,
      code: 'OPTION_NOT_OFFERED',
    })
  // The other tests find the services without options.
  const back = { params: { id: priority._id }, body: { prices: { ...prices, signature: null } } }
  expect((await app.call(setOptionPrices, back, token)).status).toBe(200)
})

test('every refusal has EasyPost’s shape, class and code', async () => {
  const { user, client } = await seller(5)
  const anonymous = await easypostClient(app, 'evp_test_nonsense')
  const poor = await client.Shipment.create(SHIPMENT)
  const said = async (work: Promise<unknown>) => {
    const error = (await refusal(work)) as { statusCode: number; code: string; name: string }
    return [error.statusCode, error.code]
  }
  expect(await said(anonymous.Shipment.all())).toEqual([401, 'UNAUTHORIZED'])
  expect(await said(client.Shipment.retrieve('shp_123'))).toEqual([404, 'NOT_FOUND'])
  expect(await said(client.Shipment.create(undefined))).toEqual([422, 'PARAMETER.REQUIRED'])
  expect(await said(client.Shipment.buy(poor.id, poor.rates[0]))).toEqual([
    402,
    'INSUFFICIENT_BALANCE',
  ])
  expect(await said(client.Shipment.buy(poor.id, 'rate_1'))).toEqual([422, 'SHIPMENT.RATE.UNKNOWN'])
  expect(await said(client.Shipment.refund(poor.id))).toEqual([422, 'SHIPMENT.REFUND.UNAVAILABLE'])
  expect(await said(client.Tracker.create({ tracking_code: 'EZ1000000001' }))).toEqual([
    404,
    'NOT_FOUND',
  ])
  const faulty = { ...SHIPMENT, to_address: { ...TO_ADDRESS, zip: '902', city: '' } }
  expect(await refusal(client.Shipment.create(faulty))).toMatchObject({
    statusCode: 422,
    message: 'to_address.city: City is required',
    errors: [{ field: 'to_address.city' }, { field: 'to_address.zip' }],
  })
  for (const unsold of [{ is_return: true }, { options: { delivery_confirmation: 'SIGNATURE' } }])
    expect(await said(client.Shipment.create({ ...SHIPMENT, ...unsold }))).toEqual([
      422,
      'OPTION_NOT_OFFERED',
    ])
  for (const notOffered of [
    () => client.Insurance.all(),
    () => client.Pickup.all(),
    () => client.CarrierAccount.all(),
    () => client.Shipment.insure(poor.id, 50),
    () => client.BetaRate.retrieveStatelessRates(SHIPMENT),
  ])
    expect(await refusal(notOffered())).toMatchObject({
      statusCode: 404,
      code: 'NOT_FOUND',
      message: expect.stringContaining('/docs/api#v2'),
    })
  const beta = await app.send({ method: 'GET', url: '/beta/metadata' })
  expect([beta.statusCode, beta.json().error.code]).toEqual([404, 'NOT_FOUND'])
  const bare = await app.send({
    method: 'POST',
    url: '/v2/shipments',
    headers: { token: user.token, 'content-type': 'application/json' },
    payload: '{"shipment":',
  })
  expect([bare.statusCode, Object.keys(bare.json())]).toEqual([400, ['error']])
  const wrongMethod = await app.send({ method: 'PUT', url: '/v2/shipments' })
  expect([wrongMethod.statusCode, wrongMethod.json().error.code]).toEqual([
    405,
    'METHOD_NOT_ALLOWED',
  ])
  expect(await balance(user)).toBe(5)
})

test('text that cannot be stored, and times out of range, are no faults of the server', async () => {
  const { user } = await seller(0)
  const odd = 'a\ud83db\u0000c'
  const send = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    (await app.send({ method, url, headers: { token: user.token }, ...(payload && { payload }) }))
      .statusCode
  const oddShipment = {
    ...SHIPMENT,
    reference: odd,
    service: odd,
    options: { [odd]: odd, print: { [odd]: odd } },
  }
  const name = { ...FROM_ADDRESS, name: odd }
  expect([
    await send('POST', '/v2/addresses', { address: name }),
    await send('POST', '/v2/shipments', { shipment: { ...SHIPMENT, from_address: name } }),
    await send('POST', '/v2/shipments', { shipment: oddShipment }),
    await send('POST', '/v2/batches', { batch: { reference: odd, shipments: [oddShipment, {}] } }),
    await send('GET', '/v2/shipments?start_datetime=-200000-01-01T00:00:00Z'),
    await send('GET', '/v2/shipments?end_datetime=%2B275760-01-01'),
    await send('GET', '/v2/events?page_size=0x10'),
    await send('GET', '/v2/trackers?tracking_code=a%00'),
    await send('POST', '/v2/trackers', { tracker: { tracking_code: odd } }),
  ]).toEqual([201, 201, 422, 200, 400, 400, 400, 400, 400])
})

test('a rate whose price has changed is refused, and bought after a new rating', async () => {
  const { user, client } = await seller()
  const admin = await app.admin()
  const shipment = await client.Shipment.create(SHIPMENT)
  const express = shipment.rates.find((rate: { service: string }) => rate.service === 'Express')
  const services = (await app.call(defaultServices, {}, admin.token)).body
  const { _id: id } = services.find(({ uid }) => uid === 'usps:PRIORITY_MAIL_EXPRESS')!
  const prices = [{ fromWeight: 1, toWeight: 70, price: 30 }]
  await app.call(setDefaultServicePrices, { params: { id }, body: { prices } }, admin.token)
  expect(await refusal(client.Shipment.buy(shipment.id, express))).toMatchObject({
    statusCode: 422,
    code: 'SHIPMENT.RATE.CHANGED',
    message:
      'The price of USPS Priority Mail Express is $30.00 now, not $29.00. Nothing was bought.',
  })
  const { rates } = await client.Shipment.regenerateRates(shipment.id)
  const bought = await client.Shipment.buy(shipment.id, rates[2])
  expect(bought.selected_rate.rate).toBe('30.00')
  expect(await balance(user)).toBe(70)
})

const withOtherEnd = (id: string): string => id.replace(/.$/, end => (end === '0' ? '1' : '0'))

test('the label of another user is neither found nor guessed', async () => {
  const [ana, bob] = [await seller(), await seller(0)]
  const shipment = await ana.client.Shipment.create({
    ...SHIPMENT,
    service: 'Priority',
    reference: 'A1',
  })
  const refund = await ana.client.Refund.create({
    carrier: 'USPS',
    tracking_codes: [shipment.tracking_code],
  })
  for (const work of [
    () => bob.client.Shipment.retrieve(shipment.id),
    () => bob.client.Shipment.retrieve('A1'),
    () => bob.client.Shipment.refund(shipment.id),
    () => bob.client.Tracker.retrieve(shipment.tracker.id),
    () => bob.client.Refund.retrieve(refund[0].id),
    () => bob.client.Address.retrieve(shipment.to_address.id),
    () => bob.client.Refund.create({ carrier: 'USPS', tracking_codes: shipment.tracking_code }),
    () => ana.client.Tracker.retrieve(withOtherEnd(shipment.tracker.id)),
  ])
    expect(await refusal(work())).toMatchObject({ statusCode: 404 })
  const url: string = shipment.postage_label.label_url
  expect((await fetch(url.replace(/.png$/, '.pdf'))).status).toBe(404)
  expect((await fetch(url)).status).toBe(404)
})
