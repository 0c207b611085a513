import { expect, test } from 'vitest'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { labelFile } from '#tests/support/carriers/stub-server.ts'
import {
  parseCancelResult,
  parseLabelFile,
  parseLookup,
  parsePurchaseResult,
  parseReprintProof,
} from './response.ts'

const context = { requestBody: { toAddress: { ZIPCode: '99999' } }, secrets: ['t0ken'], nowMs: 0 }
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
  detail: string,
  source?: object,
  headers?: Record<string, string>,
): CarrierResponse =>
  response(
    status,
    {
      error: {
        code: String(status),
        message: 'Bad Request',
        errors: [{ detail, code: '160', source }],
      },
    },
    headers,
  )

const sold = {
  trackingNumber: '9205590000000000000001',
  postage: 7.25,
  labelImage: labelFile('x').toString('base64'),
  more: { of: 'it' },
}

test('a sold label has its number, its cost in cents, and its file', () => {
  const body = {
    ...sold,
    fees: [{ name: 'Nonstandard', price: 4.1 }],
    extraServices: [{ price: 0 }, {}],
  }
  const outcome = parsePurchaseResult(response(200, body), context)
  expect(outcome).toMatchObject({
    ok: true,
    purchase: { trackingNumber: sold.trackingNumber, costCents: 1135 },
  })
  expect(outcome.ok && outcome.purchase.label?.mime).toBe('application/pdf')
})

test('a label with a missing or invalid file is still sold', () => {
  for (const labelImage of [undefined, null, 'bm8=']) {
    expect(parsePurchaseResult(response(200, { ...sold, labelImage }), context)).toEqual({
      ok: true,
      purchase: { trackingNumber: sold.trackingNumber, costCents: 725 },
    })
  }
})

test('a label without a price is sold at an unknown cost: only number and file are guaranteed', () => {
  for (const postage of [undefined, null]) {
    expect(
      parsePurchaseResult(response(200, { ...sold, postage, fees: [{ price: 4.1 }] }), context),
    ).toMatchObject({
      ok: true,
      purchase: { trackingNumber: sold.trackingNumber, costCents: null },
    })
  }
  for (const fees of [[{ price: -1 }], [{ price: 'none' }], {}, 'none']) {
    expect(parsePurchaseResult(response(200, { ...sold, fees }), context)).toMatchObject({
      ok: true,
      purchase: { costCents: null },
    })
  }
  expect(
    parseLookup(response(200, { trackingNumber: '92', labelImage: sold.labelImage }), context),
  ).toMatchObject({ found: 'purchased', purchase: { trackingNumber: '92', costCents: null } })
})

test('a refusal names the problem, the value and the accepted values', () => {
  expect(
    parsePurchaseResult(
      problem(400, 'Invalid ZIP Code', { parameter: 'toAddress.ZIPCode', example: '20260' }),
      context,
    ),
  ).toEqual({
    ok: false,
    kind: 'permanent',
    code: '160',
    message: 'Invalid ZIP Code (toAddress.ZIPCode: 99999); for example 20260',
  })
  const heavy = 'Weight is over 70 pounds'
  expect(parsePurchaseResult(problem(422, heavy), context)).toMatchObject({
    kind: 'permanent',
    message: heavy,
  })
  expect(
    parsePurchaseResult(response(400, { error: { message: 'Request t0ken is invalid' } }), context),
  ).toMatchObject({ kind: 'permanent', message: 'Request ••• is invalid' })
})

test('a refusal of the account without the postal service’s own words does not prove that nothing was sold', () => {
  expect(parsePurchaseResult(response(403), context)).toMatchObject({
    kind: 'account',
    isUncertain: true,
  })
  expect(parsePurchaseResult(problem(403, 'Not allowed'), context)).not.toHaveProperty(
    'isUncertain',
  )
})

test('problems of the operator’s account are no label’s fault', () => {
  for (const status of [401, 402, 403])
    expect(parsePurchaseResult(response(status), context)).toMatchObject({ kind: 'account' })
  expect(parsePurchaseResult(problem(400, 'Insufficient funds in account'), context)).toMatchObject(
    {
      kind: 'account',
    },
  )
  expect(
    parsePurchaseResult(problem(400, 'The payment authorization token has expired'), context),
  ).toMatchObject({ kind: 'account' })
})

test('a problem of the account is told without values of a label', () => {
  const refused = problem(403, 'Not allowed', { parameter: 'toAddress.ZIPCode' })
  expect(parsePurchaseResult(refused, context)).toMatchObject({
    kind: 'account',
    message: 'Not allowed',
  })
})

test('address text cannot imitate an account problem, which would pause all purchases', () => {
  const asked = { toAddress: { streetAddress: 'Insufficient funds' } }
  const outcome = parsePurchaseResult(
    problem(400, 'Address not found', { parameter: 'toAddress.streetAddress' }),
    { ...context, requestBody: asked },
  )
  expect(outcome).toMatchObject({
    kind: 'permanent',
    message: 'Address not found (toAddress.streetAddress: Insufficient funds)',
  })
})

test('too many requests: Retry-After applies', () => {
  expect(
    parsePurchaseResult(
      problem(429, 'Quota exceeded', undefined, { 'retry-after': '30' }),
      context,
    ),
  ).toMatchObject({ kind: 'retryable', retryAfterMs: 30_000 })
  expect(parsePurchaseResult(response(429), context)).toMatchObject({ kind: 'retryable' })
})

test('everything else is an unknown result', () => {
  const strange = [
    response(200),
    response(200, { ...sold, postage: 'free' }),
    response(200, []),
    response(204),
    response(200, { ...sold, trackingNumber: '' }),
    response(302),
    response(400),
    response(404),
    response(409, {}),
    problem(400, 'The idempotency key was used with another payload'),
    problem(422, 'A request with this Idempotency-Key is being processed'),
    problem(500, 'Internal'),
    problem(503, 'Unavailable'),
    response(502, undefined),
  ]
  for (const one of strange)
    expect(parsePurchaseResult(one, context), JSON.stringify(one)).toMatchObject({
      ok: false,
      kind: 'unknown',
    })
})

test('only the carrier’s own message proves that nothing was sold', () => {
  expect(parseLookup(problem(404, 'Label not found'), context)).toEqual({ found: 'not_purchased' })
  expect(parseLookup(problem(400, 'Order not found'), context)).toEqual({ found: 'not_purchased' })
  expect(
    parseLookup(
      response(200, { labelMetadata: { trackingNumber: '92', postage: 10.99 }, labelImage: '' }),
      context,
    ),
  ).toEqual({ found: 'purchased', purchase: { trackingNumber: '92', costCents: 1099 } })
  const tooOften = problem(400, 'Labels can only be reprinted 3 times')
  const unclear = [
    response(404),
    tooOften,
    problem(403, 'Not allowed'),
    response(500),
    response(200, {}),
  ]
  for (const one of unclear) expect(parseLookup(one, context)).toEqual({ found: 'unknown' })
})

test('a file that will never be available is distinguished from one that is not ready', () => {
  expect(parseLabelFile(response(200, sold), 'pdf', context)).toMatchObject({
    kind: 'label',
    label: { mime: 'application/pdf' },
  })
  // A file of another format than requested is not the label.
  expect(parseLabelFile(response(200, sold), 'zpl', context)).toMatchObject({ kind: 'not_yet' })
  expect(
    parseLabelFile(problem(400, 'The limit of reprints is reached'), 'pdf', context),
  ).toMatchObject({
    kind: 'gone',
  })
  expect(
    parseLabelFile(response(200, { ...sold, labelImage: 'PGh0bWw+' }), 'pdf', context),
  ).toMatchObject({
    kind: 'not_yet',
  })
  expect(
    parseLabelFile(problem(429, 'Slowly', undefined, { 'retry-after': '9' }), 'pdf', context),
  ).toMatchObject({
    kind: 'not_yet',
    retryAfterMs: 9_000,
  })
  expect(parseLabelFile(response(503), 'pdf', context)).toMatchObject({ kind: 'not_yet' })
})

test('cancelled, disputed, missing and refused are distinguished', () => {
  const kind = (one: CarrierResponse): string => parseCancelResult(one, context).kind
  expect(kind(response(200, { status: 'CANCELED' }))).toBe('cancelled')
  expect(kind(response(200, { status: 'DISPUTED', disputeId: 104 }))).toBe('disputed')
  expect(
    kind(problem(400, 'A refund request for this order has already been submitted today')),
  ).toBe('disputed')
  expect(kind(problem(400, 'Order not found'))).toBe('missing')
  expect(kind(problem(400, 'A refund request for this order cannot be submitted'))).toBe('failed')
  expect(kind(response(200, { status: 'PERHAPS' }))).toBe('failed')
})

test('a reprint proves that a label is valid or cancelled; other words prove nothing', () => {
  const proof = (one: CarrierResponse, number = sold.trackingNumber): string =>
    parseReprintProof(one, number, context)
  expect(proof(response(200, sold))).toBe('valid')
  expect(proof(response(200, sold), '9400')).toBe('unclear')
  for (const words of [
    'Canceled labels are not eligible for reprint',
    'The label was already cancelled',
  ])
    expect(proof(problem(400, words))).toBe('cancelled')
  for (const one of [
    problem(400, 'The label has reached its limit of reprints'),
    problem(400, 'The label is past its mailing date or cancelled'),
    problem(404, 'Label not found'),
    problem(503, 'Canceled labels are not eligible for reprint'),
    response(503),
  ])
    expect(proof(one)).toBe('unclear')
})
