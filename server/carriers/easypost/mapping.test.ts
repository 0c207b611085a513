/**
 * Requests to EasyPost and parsing of its responses, with our own fixtures; recorded.test.ts uses
 * the published recordings.
 */
import { expect, test } from 'vitest'
import type { Shipment } from '#server/carriers/port.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { failureFrom, isAlreadyPurchased, isNotFound } from './failures.ts'
import { shipmentRequest } from './request.ts'
import {
  parseLabelUrl,
  parseRatedShipment,
  parsePurchase,
  cheapestRate,
  parseRefund,
  parseTracking,
} from './response.ts'

const sender = {
  name: 'Mason Trading',
  company: '',
  phone: '512-555-0123',
  street1: '100 Congress Ave',
  street2: '',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  country: 'US',
}
const shipment: Shipment = {
  serviceUid: 'usps:PRIORITY_MAIL',
  sender,
  receiver: {
    ...sender,
    name: 'José Łukasz',
    company: 'Café',
    phone: '+1 347-448-3190 ext. 70484',
    street2: 'Apt 4B',
    zip: '97701-1234',
  },
  package: {
    length: 9.5,
    width: 6,
    height: 3,
    weight: 1.51,
    description: 'Mug',
    quantity: '1',
    sku: 'M',
  },
}

test('a shipment is sent in EasyPost’s form: ounces, inches, Latin letters, a 4x6 PDF, and no service that would buy it at once', () => {
  const from = {
    name: 'MASON TRADING',
    street1: '100 CONGRESS AVE',
    city: 'AUSTIN',
    state: 'TX',
    country: 'US',
  }
  expect(shipmentRequest('evp-a-1-1', shipment)).toEqual({
    shipment: {
      reference: 'evp-a-1-1',
      from_address: { ...from, zip: '78701', phone: '5125550123' },
      to_address: {
        ...from,
        name: 'JOSE LUKASZ',
        company: 'CAFE',
        street2: 'APT 4B',
        zip: '97701-1234',
        phone: '13474483190',
      },
      parcel: { length: 9.5, width: 6, height: 3, weight: 24.2 },
      options: { label_format: 'PNG', label_size: '4x6' },
    },
  })
})

const rate = (service: string, price: unknown, more: object = {}) => ({
  id: `rate_${service}_${String(price)}`,
  carrier: 'USPS',
  service,
  rate: price,
  currency: 'USD',
  ...more,
})
const offer = (rates: unknown[], messages: unknown[] = []) =>
  parseRatedShipment({ id: 'shp_1', rates, messages })!

test('the cheapest US-dollar rate of the postal service is chosen', () => {
  const rates = [
    rate('Priority', '7.10'),
    rate('Priority', '6.90'),
    rate('GroundAdvantage', '5.93'),
    rate('Priority', '1.00', { carrier: 'Pigeons' }),
    rate('Priority', '2.00', { currency: 'CAD' }),
    rate('Priority', 'free'),
    rate('Priority', null),
    { id: 'rate_7', carrier: 'Pigeons', service: null },
    null,
    7,
  ]
  expect(cheapestRate(offer(rates), 'usps:PRIORITY_MAIL')).toEqual({
    id: 'rate_Priority_6.90',
    amount: 690,
  })
})

test.each<[why: string, rates: unknown[], messages: unknown[], told: object]>([
  [
    'the postal service says what is wrong',
    [rate('Express', '33.10')],
    [{ carrier: 'USPS', message: 'Too long' }],
    { kind: 'permanent', message: 'USPS Priority Mail is not offered for this parcel: Too long' },
  ],
  [
    'others are offered',
    [rate('Express', '33.10')],
    [],
    { kind: 'permanent', message: 'USPS Priority Mail is not offered for this parcel' },
  ],
  [
    'its prices are away for a moment',
    [],
    [{ carrier: 'USPS', message: 'Unable to retrieve rates. Please try again.' }],
    { kind: 'retryable' },
  ],
  ['nothing at all is offered', [], [], { kind: 'permanent' }],
])('no rate, because %s', (_, rates, messages, told) => {
  expect(cheapestRate(offer(rates, messages), 'usps:PRIORITY_MAIL')).toMatchObject({
    ok: false,
    ...told,
  })
})

const bought = {
  id: 'shp_1',
  tracking_code: '9400',
  selected_rate: rate('Priority', '6.90'),
  postage_label: {},
}
test('a shipment is bought, not bought, or unclear', () => {
  expect(parsePurchase(bought)).toEqual({ trackingNumber: '9400', costCents: 690 })
  for (const refund_status of ['submitted', 'refunded'])
    expect(parsePurchase({ ...bought, refund_status })).toMatchObject({ isVoided: true })
  expect(parsePurchase({ ...bought, refund_status: 'rejected' })).not.toHaveProperty('isVoided')
  // With number and label it is bought, although the rate is unknown.
  for (const selected_rate of [null, undefined, { id: 'rate_1' }, { id: 'rate_1', rate: null }]) {
    expect(parsePurchase({ ...bought, selected_rate })).toEqual({
      trackingNumber: '9400',
      costCents: null,
    })
  }
  expect(
    parsePurchase({
      id: 'shp_1',
      tracking_code: null,
      selected_rate: null,
      postage_label: null,
      rates: [],
    }),
  ).toBe('not_purchased')
  for (const odd of [
    { ...bought, tracking_code: null },
    { ...bought, selected_rate: null, postage_label: null },
    { ...bought, selected_rate: rate('Priority', '-1') },
    { ...bought, tracking_code: 9400 },
    { ...bought, id: '../users' },
    undefined,
    'OK',
    [],
    { shipment: bought },
  ])
    expect(parsePurchase(odd)).toBeNull()
})

test.each<[status: unknown, told: object]>([
  [null, { kind: 'not_asked' }],
  ['submitted', { kind: 'submitted' }],
  ['refunded', { kind: 'voided' }],
  [
    'rejected',
    { kind: 'permanent', message: 'The postal service rejected the refund of this label' },
  ],
  ['not_applicable', { kind: 'permanent' }],
  ['on fire', { kind: 'unknown' }],
  [7, { kind: 'unknown', code: 'NONSENSE' }],
])('a refund that is %j', (status, told) => {
  expect(
    parseRefund({ id: 'shp_1', tracking_code: '9400', refund_status: status }, '9400'),
  ).toMatchObject(told)
  expect(
    parseRefund({ id: 'shp_1', tracking_code: '9401', refund_status: 'refunded' }, '9400'),
  ).toEqual({ kind: 'another' })
})

test('the file of the requested format is found; without a label there is none', () => {
  const urls = { label_url: 'u.png', label_pdf_url: 'u.pdf', label_zpl_url: 'u.zpl' }
  const all = { postage_label: urls }
  expect([parseLabelUrl(all, 'pdf'), parseLabelUrl(all, 'png'), parseLabelUrl(all, 'zpl')]).toEqual(
    ['u.pdf', 'u.png', 'u.zpl'],
  )
  // A PNG becomes a page like any PDF; ZPL is made of nothing else.
  const asMade = { postage_label: { label_url: 'u.png', label_pdf_url: null } }
  expect([parseLabelUrl(asMade, 'pdf'), parseLabelUrl(asMade, 'zpl')]).toEqual(['u.png', null])
  expect([
    parseLabelUrl({ postage_label: null }, 'pdf'),
    parseLabelUrl({ postage_label: { label_url: 7 } }, 'pdf'),
    parseLabelUrl(undefined, 'pdf'),
  ]).toEqual([null, null, null])
})

test('a parcel’s status comes with its newest event', () => {
  const seen = (status: string, day: number) => ({
    status,
    message: `It is ${status}`,
    datetime: `2026-11-${10 + day}T10:00:00Z`,
    tracking_location: { object: 'TrackingLocation', city: 'AUSTIN', state: 'TX', zip: '78701' },
  })
  const tracker = {
    status: 'in_transit',
    status_detail: 'arrived',
    est_delivery_date: '2026-11-14T00:00:00Z',
    signed_by: 'J SMITH',
    tracking_details: [seen('in_transit', 2), seen('pre_transit', 1), 7],
  }
  const event = (status: string, day: number) => ({
    at: new Date(`2026-11-${10 + day}T10:00:00Z`),
    status,
    text: `It is ${status}`,
    place: 'Austin, TX',
  })
  expect(parseTracking({ tracker })).toEqual({
    status: 'in_transit',
    detail: 'It is in_transit',
    at: new Date('2026-11-12T10:00:00Z'),
    events: [event('pre_transit', 1), event('in_transit', 2)],
    expectedDay: '2026-11-14',
  })
  const nothing = { status: 'unknown', detail: null, at: null, events: [], expectedDay: null }
  expect(parseTracking({ tracker: { status: 'error' } })).toEqual(nothing)
  expect(parseTracking({ tracker: null })).toEqual(nothing)
  expect(parseTracking('<html>')).toBeNull()
})

const response = (
  status: number,
  error?: unknown,
  headers: Record<string, string> = {},
): CarrierResponse => ({
  status,
  headers: new Headers(headers),
  body: error === undefined ? undefined : { error },
  bytes: new Uint8Array(),
})
const told = (status: number, error?: unknown, nothingBought = false) =>
  failureFrom(response(status, error, { 'retry-after': '3' }), ['EZAKsecret'], 0, nothingBought)

test.each<[status: number, code: string | null, kind: string]>([
  [400, 'BAD_REQUEST', 'permanent'],
  [404, 'NOT_FOUND', 'permanent'],
  [422, 'SHIPMENT.POSTAGE.FAILURE', 'permanent'],
  [401, 'APIKEY.INACTIVE', 'account'],
  [402, 'PAYMENT_REQUIRED', 'account'],
  [403, null, 'account'],
  [422, 'BILLING.INSUFFICIENT_FUNDS', 'account'],
  [429, 'RATE_LIMITED', 'retryable'],
  [429, null, 'retryable'],
  [422, 'SHIPMENT.POSTAGE.NO_RESPONSE', 'unknown'],
  [422, 'SHIPMENT.POSTAGE.TIMED_OUT', 'unknown'],
  [422, 'SHIPMENT.PURCHASE.IN_PROGRESS', 'unknown'],
  [500, 'INTERNAL', 'unknown'],
  [502, null, 'unknown'],
  [504, 'TIMEOUT', 'unknown'],
  [408, 'REQUEST_TIMEOUT', 'unknown'],
  [409, 'CONFLICT', 'unknown'],
  [503, 'UNAVAILABLE', 'unknown'],
  [400, null, 'unknown'],
  [302, null, 'unknown'],
])('%i %s while buying is %s', (status, code, kind) => {
  expect(
    told(status, code === null ? undefined : { code, message: 'So it is', errors: [] }),
  ).toMatchObject({ ok: false, kind })
})

test('a refusal of the account without EasyPost’s own words does not prove that nothing was sold: a proxy may have sent it', () => {
  const forbidden = { code: 'FORBIDDEN', message: 'No', errors: [] }
  expect(told(403)).toMatchObject({ kind: 'account', isUncertain: true })
  expect(told(403, forbidden)).not.toHaveProperty('isUncertain')
  expect(told(403, undefined, true)).not.toHaveProperty('isUncertain')
})

test('a sale that EasyPost still tries is unknown, even with a status of the account', () => {
  const open = { code: 'PAYMENT.IN_PROGRESS', message: 'Wait', errors: [] }
  expect(told(402, open)).toMatchObject({ kind: 'unknown' })
})

test('a 503 to a call that buys nothing is certainly no sale; Retry-After applies', () => {
  expect(told(503, { code: 'UNAVAILABLE', message: '' }, true)).toMatchObject({
    kind: 'retryable',
    retryAfterMs: 3_000,
  })
  expect(told(422, { code: 'X', message: '' })).not.toHaveProperty('retryAfterMs')
})

test.each<[error: object, text: string]>([
  [
    {
      message: 'Wrong',
      errors: [{ field: 'to_address.zip', message: 'is invalid', suggestion: '97701' }],
    },
    'Wrong: to_address.zip is invalid (try 97701)',
  ],
  [{ message: 'Not found', errors: ['No such street', 'Not found'] }, 'Not found: No such street'],
  [{ message: ['one', 'two'], errors: [] }, 'One; two'],
  [{ message: { base: ['too heavy'], to: 'far' }, errors: null }, 'Too heavy; far'],
  [{ message: null }, 'The carrier refused this label and named no reason'],
  [{ message: 'The key EZAKsecret\n is bad' }, 'The key ••• is bad'],
])('a refusal in each of its forms becomes a sentence (%j)', (error, text) => {
  expect(told(422, { code: 'X', ...error }).message).toBe(text)
})

test('an empty account is never the label’s fault, and an address cannot imitate one', () => {
  const without = (message: string) =>
    told(422, { code: 'SHIPMENT.POSTAGE.FAILURE', message, errors: [] })
  expect(without('Insufficient funds in your account.')).toMatchObject({ kind: 'account' })
  expect(without('Address not found: INSUFFICIENT FUNDS ST')).toMatchObject({ kind: 'permanent' })
})

test('EasyPost’s errors are distinguished from those of a proxy', () => {
  expect(isNotFound(response(404, { code: 'NOT_FOUND', message: '' }))).toBe(true)
  expect(isNotFound(response(404))).toBe(false)
  expect(isAlreadyPurchased(response(422, { code: 'SHIPMENT.POSTAGE.EXISTS', message: '' }))).toBe(
    true,
  )
})

test('a signature is the delivery confirmation that EasyPost names so, and rates contain its price', () => {
  const options = (signature: Shipment['signature']) =>
    shipmentRequest('evp-a-1-1', { ...shipment, signature }).shipment.options
  expect(options('signature')).toMatchObject({ delivery_confirmation: 'SIGNATURE' })
  expect(options('adult')).toMatchObject({ delivery_confirmation: 'ADULT_SIGNATURE' })
  expect(options('none')).not.toHaveProperty('delivery_confirmation')
})
