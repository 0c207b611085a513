import { expect, test } from 'vitest'
import {
  hasPayments,
  parseInvoice,
  newestInvoice,
  InvalidResponseError,
  toProviderInvoice,
} from './answer.ts'

const store = { storeId: 'Store1' }
const reference = '3b0f3a52-98f0-4a21-9f5a-0e86c3a50a11'
const invoice = (more: object = {}): object => ({
  id: 'Inv1',
  storeId: 'Store1',
  type: 'TopUp',
  currency: 'USD',
  amount: '0',
  paidAmount: '26.4008143',
  checkoutLink: 'https://pay.example.com/i/Inv1',
  createdTime: 1_795_000_000,
  expirationTime: 1_795_000_900,
  status: 'Settled',
  additionalStatus: 'None',
  archived: false,
  metadata: { orderId: reference, itemDesc: 'Balance' },
  ...more,
})
const payment = (value: string, status: string, fee = '0'): object => ({
  id: 'p',
  receivedDate: 1,
  value,
  fee,
  status,
})
const methods = (...payments: object[]): object[] => [
  { paymentMethodId: 'BTC-CHAIN', rate: '64392.23', payments },
]
const seen = (one: object, all: unknown) => toProviderInvoice(parseInvoice(store, one), all)

test('a response becomes an invoice: confirmed payments are summed net of fees and rounded down', () => {
  expect(seen(invoice(), methods(payment('0.00041', 'Settled')))).toEqual({
    id: 'Inv1',
    reference,
    status: 'Settled',
    additionalStatus: 'None',
    paid: 2640,
    confirmed: 2640,
    unconfirmedSince: null,
    createdAt: new Date(1_795_000_000_000),
    expiresAt: new Date(1_795_000_900_000),
    checkoutLink: 'https://pay.example.com/i/Inv1',
  })
  const mixed = methods(
    payment('0.00041', 'Settled', '0.00001'),
    payment('0.001', 'Processing'),
    payment('5', 'Invalid'),
  )
  expect(seen(invoice({ paidAmount: '90.149' }), mixed)).toMatchObject({
    paid: 9014,
    confirmed: 2575,
  })
  // Two kinds of coins: parts of a cent of both make one.
  const two = [
    { rate: '1', payments: [payment('0.995', 'Settled')] },
    { rate: '1', payments: [payment('0.005', 'Settled')] },
  ]
  expect(seen(invoice({ paidAmount: '1' }), two)).toMatchObject({ paid: 100, confirmed: 100 })
})

test('an unconfirmed payment counts from when the oldest one arrived, without a time from the invoice', () => {
  const arrived = (...dates: unknown[]) =>
    seen(invoice({ paidAmount: '500' }), [
      {
        rate: '1',
        payments: [
          payment('100', 'Settled'),
          ...dates.map(receivedDate => ({
            ...(payment('50', 'Processing') as Record<string, unknown>),
            receivedDate,
          })),
        ],
      },
    ]).unconfirmedSince
  expect(arrived(1_795_000_500, 1_795_000_300)).toEqual(new Date(1_795_000_300_000))
  for (const none of [undefined, null, 'yesterday'])
    expect(arrived(none)).toEqual(new Date(1_795_000_000_000))
  expect(arrived()).toBeNull()
})

test('a paid amount that BTCPay rounds up is no further payment', () => {
  const rounded = invoice({ paidAmount: '26.41' })
  expect(seen(rounded, methods(payment('0.00041', 'Settled')))).toMatchObject({
    paid: 2640,
    confirmed: 2640,
  })
  expect(seen(rounded, methods(payment('0.00041', 'Processing')))).toMatchObject({ paid: 2641 })
  expect(seen(invoice({ paidAmount: '30' }), methods(payment('0.00041', 'Settled')))).toMatchObject(
    { paid: 3000, confirmed: 2640 },
  )
})

test('several payments that BTCPay rounds up one by one are no further payment', () => {
  const payments = Array.from({ length: 3 }, () => payment('10.005', 'Settled'))
  const of = (paidAmount: string) => seen(invoice({ paidAmount }), [{ rate: '1', payments }])
  expect(of('30.03')).toMatchObject({ paid: 3001, confirmed: 3001 })
  expect(of('30.05')).toMatchObject({ paid: 3005, confirmed: 3001 })
})

test('the amount of the invoice is not used: for a top-up paid late it is 0', () => {
  const late = invoice({
    status: 'Expired',
    additionalStatus: 'PaidLate',
    amount: '999',
    paidAmount: '26.40',
  })
  expect(seen(late, methods(payment('0.00041', 'Processing')))).toMatchObject({
    paid: 2640,
    confirmed: 0,
  })
})

test('the paid amount is summed for a version that does not report it', () => {
  const old = invoice({ paidAmount: undefined })
  expect(hasPayments(parseInvoice(store, old))).toBe(true)
  expect(seen(old, methods(payment('0.00041', 'Processing')))).toMatchObject({
    paid: 2640,
    confirmed: 0,
  })
  expect(hasPayments(parseInvoice(store, invoice({ paidAmount: '0.00' })))).toBe(false)
  expect(seen(invoice({ paidAmount: '0', status: 'New' }), [])).toMatchObject({
    paid: 0,
    confirmed: 0,
  })
})

test('an unknown additional status counts as none, so that only confirmed money can be credited', () => {
  expect(
    seen(invoice({ additionalStatus: 'PaidTwice' }), methods(payment('0.00041', 'Processing'))),
  ).toMatchObject({ status: 'Settled', additionalStatus: 'None', confirmed: 0 })
  expect(
    seen(invoice({ additionalStatus: null }), methods(payment('0.00041', 'Processing'))),
  ).toMatchObject({ additionalStatus: 'None' })
})

test('an unused currency and an invalid payment may lack their amounts', () => {
  const paid = methods(payment('0.00041', 'Settled'), { id: 'q', status: 'Invalid' })
  const unused = [
    { paymentMethodId: 'LTC-CHAIN', payments: [] },
    { rate: null, payments: null },
    { rate: null, payments: [{ status: 'Invalid' }] },
  ]
  expect(seen(invoice(), [...paid, ...unused])).toMatchObject({ paid: 2640, confirmed: 2640 })
  for (const status of ['Settled', 'Processing']) {
    expect(() => seen(invoice(), [{ rate: null, payments: [payment('1', status)] }])).toThrow(
      InvalidResponseError,
    )
    expect(() => seen(invoice(), [{ rate: '1', payments: [{ status }] }])).toThrow(
      InvalidResponseError,
    )
  }
  expect(() => seen(invoice(), [{ rate: '1', payments: [{ value: '1' }] }])).toThrow(
    InvalidResponseError,
  )
})

test('a response with another store, another currency, an unknown status or an invalid decimal is refused', () => {
  const wrong = [
    { storeId: 'Store2' },
    { currency: 'EUR' },
    { status: 'Teleported' },
    { paidAmount: '1e3' },
    { paidAmount: 26.4 },
    { createdTime: 'now' },
    { id: '../x' },
    { id: undefined },
  ]
  for (const more of wrong)
    expect(() => parseInvoice(store, invoice(more)), JSON.stringify(more)).toThrow(
      InvalidResponseError,
    )
  for (const answer of [null, [], 'x', {}, 7])
    expect(() => parseInvoice(store, answer)).toThrow(InvalidResponseError)
  for (const all of [
    null,
    {},
    [{ rate: 64392.23, payments: [payment('1', 'Settled')] }],
    methods(payment('abc', 'Settled')),
  ]) {
    expect(() => seen(invoice(), all)).toThrow(InvalidResponseError)
  }
  expect(() => seen(invoice(), methods(payment('90071992547409.93', 'Settled')))).toThrow(
    'impossible amount',
  )
})

test('of several invoices with our reference the newest counts, and one with another reference never', () => {
  const list = [
    invoice({ id: 'A' }),
    invoice({ id: 'B', createdTime: 1_795_000_100 }),
    invoice({ id: 'C', createdTime: 1_795_000_050 }),
    invoice({ id: 'D', createdTime: 1_795_000_200, metadata: { orderId: 'another' } }),
  ]
  expect(newestInvoice(store, list, reference)?.id).toBe('B')
  expect(newestInvoice(store, [], reference)).toBeNull()
  expect(() => newestInvoice(store, { nothing: true }, reference)).toThrow(InvalidResponseError)
})
