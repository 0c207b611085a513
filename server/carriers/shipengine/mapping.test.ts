import { expect, test } from 'vitest'
import type { Shipment } from '#server/carriers/port.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { labelFile } from '#tests/support/carriers/stub-server.ts'
import { failureFrom, isNameTaken, isNotFound } from './failures.ts'
import { labelRequest } from './request.ts'
import { parseBalance, decodeInlineFile, parseLabel, parseTracking, parseVoid } from './response.ts'

const sender = {
  name: 'Mason Trading',
  company: '',
  phone: '',
  street1: '100 Congress Ave',
  street2: 'Suite 4',
  city: 'Austin',
  state: 'TX',
  zip: '78701-2744',
  country: 'US',
}
const shipment: Shipment = {
  serviceUid: 'usps:PRIORITY_MAIL_EXPRESS',
  sender,
  receiver: {
    ...sender,
    name: 'Zoë Łukasz',
    company: 'Café',
    phone: '+1 (303) 555-0100 ext. 4',
    street2: '',
    city: 'Denver',
    state: 'CO',
    zip: '80249',
  },
  package: {
    length: 9,
    width: 6,
    height: 3,
    weight: 1.01,
    description: 'Mug',
    quantity: '1',
    sku: 'MUG',
  },
}

test('a shipment becomes exactly this request', () => {
  expect(labelRequest('evp-a1-17-1', 'se-1', shipment)).toEqual({
    shipment: {
      carrier_id: 'se-1',
      service_code: 'usps_priority_mail_express',
      external_shipment_id: 'evp-a1-17-1',
      ship_from: {
        name: 'MASON TRADING',
        phone: '0000000000',
        address_line1: '100 CONGRESS AVE',
        address_line2: 'SUITE 4',
        city_locality: 'AUSTIN',
        state_province: 'TX',
        postal_code: '78701-2744',
        country_code: 'US',
      },
      ship_to: {
        name: 'ZOE LUKASZ',
        company_name: 'CAFE',
        phone: '13035550100',
        address_line1: '100 CONGRESS AVE',
        city_locality: 'DENVER',
        state_province: 'CO',
        postal_code: '80249',
        country_code: 'US',
      },
      packages: [
        {
          package_code: 'package',
          weight: { value: 16.2, unit: 'ounce' },
          dimensions: { unit: 'inch', length: 9, width: 6, height: 3 },
        },
      ],
    },
    label_layout: '4x6',
    label_download_type: 'inline',
  })
})

const usd = (amount: number) => ({ currency: 'usd', amount })
const sold = {
  label_id: 'se-1',
  status: 'completed',
  tracking_number: '9400',
  shipment_cost: usd(5.93),
  insurance_cost: usd(1),
  label_download: null,
  new: 'and unheard of',
}

test('a sold label has its id, its number and its cost with insurance', () => {
  expect(parseLabel(sold)).toEqual({
    id: 'se-1',
    state: 'sold',
    isVoided: false,
    trackingNumber: '9400',
    costCents: 693,
    files: { pdf: null, png: null, zpl: null },
  })
  expect(parseLabel({ ...sold, status: 'voided' })).toMatchObject({ state: 'sold', isVoided: true })
  expect(parseLabel({ ...sold, status: 'error', tracking_number: null })).toMatchObject({
    state: 'not sold',
  })
  expect(parseLabel({ ...sold, status: 'processing' })).toMatchObject({ state: 'being made' })
  expect(
    parseLabel({ ...sold, label_download: { href: 'https://a/h', pdf: 'https://a/p' } }),
  ).toMatchObject({ files: { pdf: 'https://a/p' } })
})

test('a label without a cost is sold at an unknown cost', () => {
  for (const shipment_cost of [undefined, null]) {
    expect(parseLabel({ ...sold, shipment_cost })).toMatchObject({ state: 'sold', costCents: null })
  }
})

test('an unclear label is none', () => {
  const strange = [
    undefined,
    null,
    [],
    'sold',
    {},
    { ...sold, label_id: '../v1' },
    { ...sold, status: 'perhaps' },
    { ...sold, tracking_number: ' ' },
    { ...sold, shipment_cost: { currency: 'eur', amount: 5 } },
    { ...sold, shipment_cost: usd(-1) },
  ]
  expect(strange.map(parseLabel)).toEqual(strange.map(() => null))
})

test('a file inside a response is recognized by its first bytes', () => {
  const inline = (bytes: Buffer) =>
    decodeInlineFile(`data:application/pdf;base64,${bytes.toString('base64')}`)
  expect(inline(labelFile('x'))).toMatchObject({ mime: 'application/pdf' })
  expect([
    inline(Buffer.from('<html>')),
    decodeInlineFile('https://a/p'),
    decodeInlineFile(null),
  ]).toEqual([null, null, null])
})

test('a void is approved, was approved before, or is refused with a reason', () => {
  expect(parseVoid({ approved: true, message: 'Request for refund submitted.' })).toMatchObject({
    isVoided: true,
  })
  expect(
    parseVoid({ approved: false, message: 'Again', reason_code: 'label_already_voided' }),
  ).toMatchObject({ isVoided: true })
  const late = 'label_not_found_within_void_period'
  expect(parseVoid({ approved: false, message: '', reason_code: late })).toEqual({
    isVoided: false,
    code: late,
    message: 'The time in which this label could be voided is over',
  })
  expect([parseVoid({ approved: 'yes' }), parseVoid(undefined)]).toEqual([null, null])
})

test('the carrier’s tracking codes become our statuses', () => {
  const status = (code: string, detail?: string) =>
    parseTracking({ status_code: code, status_detail_code: detail, events: [] })?.status
  expect(['UN', 'NY', 'AC', 'IT', 'AT', 'SP', 'DE', 'EX'].map(code => status(code))).toEqual([
    'unknown',
    'pre_transit',
    'in_transit',
    'in_transit',
    'in_transit',
    'available_for_pickup',
    'delivered',
    'failure',
  ])
  expect([
    status('AC', 'ELEC_ADVICE_RECD_BY_CARRIER'),
    status('IT', 'OUT_FOR_DELIVERY'),
    status('EX', 'RETURN_TO_SENDER'),
  ]).toEqual(['pre_transit', 'out_for_delivery', 'return_to_sender'])
  expect(status('??')).toBeUndefined()
  expect(
    parseTracking({
      status_code: 'IT',
      carrier_status_description: 'Departed',
      estimated_delivery_date: '2026-11-23T00:00:00Z',
      events: [
        {
          occurred_at: '2026-11-20T10:00:00Z',
          description: 'Departed USPS Facility',
          city_locality: 'BEND',
          state_province: 'OR',
          postal_code: '97701',
          signer: 'J SMITH',
          status_code: 'IT',
        },
        { occurred_at: 'never', description: 'No time' },
        { occurred_at: '2026-11-19T08:00:00Z', status_code: 'AC', signer: '' },
      ],
    }),
  ).toEqual({
    status: 'in_transit',
    detail: 'Departed',
    at: new Date('2026-11-20T10:00:00Z'),
    expectedDay: '2026-11-23',
    events: [
      { at: new Date('2026-11-19T08:00:00Z'), status: 'in_transit', text: '', place: '' },
      {
        at: new Date('2026-11-20T10:00:00Z'),
        status: 'in_transit',
        text: 'Departed USPS Facility',
        place: 'Bend, OR',
      },
    ],
  })
})

test('a balance is never rounded up, and is missing for an account billed later', () => {
  expect(parseBalance({ balance: 3799.529 })).toBe(379_952)
  expect(parseBalance({ balance: 0, requires_funded_amount: false })).toBeNull()
})

const response = (
  status: number,
  body?: unknown,
  headers: Record<string, string> = {},
): CarrierResponse => ({
  status,
  body,
  headers: new Headers(headers),
  bytes: new Uint8Array(),
})
const problem = (
  status: number,
  code: string,
  message: string,
  more: object = {},
): CarrierResponse =>
  response(status, {
    errors: [
      { error_source: 'shipengine', error_type: 'validation', error_code: code, message, ...more },
    ],
  })
const context = { requestBody: labelRequest('n', 'se-1', shipment), secrets: ['k3y'], nowMs: 0 }

test('a refusal names the problem and the value', () => {
  const refused = problem(400, 'invalid_field_value', 'Invalid postal code for k3y', {
    field_name: 'shipment.ship_to.postal_code',
  })
  expect(failureFrom(refused, context)).toEqual({
    ok: false,
    kind: 'permanent',
    code: 'invalid_field_value',
    message: 'Invalid postal code for ••• (ship_to.postal_code: 80249)',
  })
})

test('key, balance and carrier account are no label’s fault', () => {
  const kinds = [
    response(401),
    response(402),
    response(403),
    problem(400, 'insufficient_funds', 'No'),
    problem(400, 'carrier_disconnected', 'No'),
    problem(400, 'unspecified', 'Insufficient postage.'),
    problem(400, 'x', 'No', { error_type: 'account_status' }),
    problem(404, 'invalid_identifier', 'No such carrier', { field_name: 'shipment.carrier_id' }),
  ].map(one => failureFrom(one, context).kind)
  expect(new Set(kinds)).toEqual(new Set(['account']))
})

test('a problem of the account is told without values of a label', () => {
  const refused = problem(402, 'insufficient_funds', 'No funds', {
    field_name: 'shipment.ship_to.postal_code',
  })
  expect(failureFrom(refused, context)).toMatchObject({ kind: 'account', message: 'No funds' })
})

test('a refusal of the account without ShipEngine’s own words does not prove that nothing was sold', () => {
  expect(failureFrom(response(403), context)).toMatchObject({ kind: 'account', isUncertain: true })
  expect(failureFrom(problem(403, 'forbidden', 'No'), context)).not.toHaveProperty('isUncertain')
})

test('too many requests: Retry-After applies', () => {
  expect(failureFrom(response(429, undefined, { 'retry-after': '12' }), context)).toMatchObject({
    kind: 'retryable',
    retryAfterMs: 12_000,
  })
  expect(failureFrom(problem(400, 'rate_limit_exceeded', 'Slowly'), context)).toMatchObject({
    kind: 'retryable',
  })
})

test('everything else is an unknown result', () => {
  const strange = [
    response(200),
    response(302),
    response(400),
    response(404),
    problem(500, 'unspecified', 'Sorry'),
    response(502),
    response(503),
    problem(400, 'unspecified', 'The carrier timed out'),
    problem(400, 'unknown', 'Sorry', { error_type: 'system' }),
  ].map(one => failureFrom(one, context).kind)
  expect(new Set(strange)).toEqual(new Set(['unknown']))
})

test('a taken name and a missing label are recognized only by the carrier’s own message', () => {
  expect(isNameTaken(problem(409, 'identifier_conflict', 'x'))).toBe(true)
  expect(
    isNameTaken(
      problem(400, 'invalid_field_value', 'must be unique', {
        field_name: 'shipment.external_shipment_id',
      }),
    ),
  ).toBe(true)
  expect(isNameTaken(problem(400, 'invalid_address', 'No such street'))).toBe(false)
  expect([isNotFound(problem(404, 'invalid_identifier', 'No')), isNotFound(response(404))]).toEqual(
    [true, false],
  )
})

test('a signature is the confirmation that ShipEngine names so', () => {
  const sent = (signature: Shipment['signature']) =>
    labelRequest('evp-a1-17-1', 'se-1', { ...shipment, signature }).shipment
  expect(sent('signature')).toMatchObject({ confirmation: 'signature' })
  expect(sent('adult')).toMatchObject({ confirmation: 'adult_signature' })
  expect(sent('none')).not.toHaveProperty('confirmation')
})
