/** What we ask of BTCPay Server and what our own one answers, held against the contracts that the real one publishes. */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { btcpayProvider } from '#server/payments/btcpay/adapter.ts'
import { btcpayStub } from '#tests/support/btcpay-stub.ts'
import { schemaErrors, unknownFields } from '#tests/support/json-schema.ts'
import type { OpenApi, Schema } from '#tests/support/json-schema.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'shared', 'contracts', 'btcpay')
const PUBLISHED = ['2.3.9', '2.4.1']
  .map(version => [version, join(FOLDER, `greenfield-${version}.subset.openapi.json`)] as const)
  .filter(([, path]) => existsSync(path))

const stub = await btcpayStub()
afterAll(stub.close)
const provider = btcpayProvider(stub.config)
const reference = '3b0f3a52-98f0-4a21-9f5a-0e86c3a50a11'

// A whole life, so that every question is asked and every answer given.
const made = await provider.create({ reference, requested: null })
await stub.pay(made.id, 41_000n, { feeSats: 100n })
await provider.findByReference(reference)
await stub.confirm(made.id)
const settled = await provider.read(made.id)
const ofAmount = await provider.create({ reference: randomUUID(), requested: cents(10_050) })

const schemaNamed = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const SHAPES: [path: RegExp, method: string, answer: Schema][] = [
  [/\/invoices$/, 'POST', schemaNamed('InvoiceData')],
  [/\/invoices$/, 'GET', { type: 'array', items: schemaNamed('InvoiceData') }],
  [/\/invoices\/[^/]+$/, 'GET', schemaNamed('InvoiceData')],
  [
    /\/payment-methods$/,
    'GET',
    { type: 'array', items: schemaNamed('InvoicePaymentMethodDataModel') },
  ],
]

test('in an invoice’s life it is created, found, and read with its payments', () => {
  const kinds = SHAPES.map(
    ([path, method]) =>
      stub.asked.filter(asked => asked.method === method && path.test(asked.path)).length,
  )
  expect(kinds.every(count => count > 0)).toBe(true)
  // 40,900 hundred-millionths of a coin at 64,392.23 dollars.
  expect(settled).toMatchObject({ status: 'Settled', paid: 2633, confirmed: 2633, reference })
})

test.runIf(PUBLISHED.length > 0).each(PUBLISHED)(
  'every request and response is one of version %s',
  (_version, path) => {
    const document = JSON.parse(readFileSync(path, 'utf8')) as OpenApi
    for (const { method, path: at, body, answer } of stub.asked) {
      const [, , shape] = SHAPES.find(([pattern, verb]) => verb === method && pattern.test(at))!
      expect(schemaErrors(document, shape, answer), `${method} ${at}`).toEqual([])
      if (method !== 'POST') continue
      expect(schemaErrors(document, schemaNamed('CreateInvoiceRequest'), body)).toEqual([])
      expect(unknownFields(document, schemaNamed('CreateInvoiceRequest'), body as object)).toEqual(
        [],
      )
      expect(
        unknownFields(
          document,
          schemaNamed('CheckoutOptions'),
          (body as { checkout: object }).checkout,
        ),
      ).toEqual([])
    }
    // Up to 2.3.9 an invoice is read below its store; later contracts write down another form, and both are served.
    const paths = Object.keys(document.paths)
    expect(paths).toContain('/api/v1/stores/{storeId}/invoices')
    const forms = ['/api/v1/stores/{storeId}/invoices/{invoiceId}', '/api/v1/invoices/{invoiceId}']
    expect(forms.filter(one => paths.includes(one))).toHaveLength(1)
  },
)

test('a server that has invoices only without their store, as 2.4 publishes it, is still read', async () => {
  stub.manners.isBare = true
  expect(await provider.read(made.id)).toEqual(settled)
  expect(await provider.read('nothing')).toBeNull()
  expect(stub.asked.slice(-4).map(({ path }) => path)).toEqual([
    `/api/v1/stores/Store1/invoices/${made.id}/payment-methods`,
    `/api/v1/invoices/${made.id}/payment-methods`,
    '/api/v1/stores/Store1/invoices/nothing',
    '/api/v1/invoices/nothing',
  ])
  stub.manners.isBare = false
})

test.runIf(PUBLISHED.length > 0)(
  'a number where the contract has text is noticed, and so is an unknown field',
  () => {
    const document = JSON.parse(readFileSync(PUBLISHED[0]![1], 'utf8')) as OpenApi
    expect(
      schemaErrors(document, schemaNamed('CreateInvoiceRequest'), {
        amount: 5,
        checkout: { speedPolicy: 'WarpSpeed' },
      }),
    ).toHaveLength(2)
    expect(
      unknownFields(document, schemaNamed('CheckoutOptions'), {
        speedPolicy: 'MediumSpeed',
        colour: 'red',
      }),
    ).toEqual(['colour'])
  },
)

test('the invoice is created without an amount, with blocks to wait for, and under our own reference', () => {
  expect(stub.asked[0]).toMatchObject({
    method: 'POST',
    path: '/api/v1/stores/Store1/invoices',
    body: {
      currency: 'USD',
      metadata: { orderId: reference },
      checkout: {
        speedPolicy: 'MediumSpeed',
        expirationMinutes: 15,
        monitoringMinutes: 1440,
        paymentTolerance: 0,
      },
    },
  })
  expect(stub.asked[0]!.body).not.toHaveProperty('amount')
})

test('an invoice of an amount counts any payment of at least 1% of it as full payment', () => {
  expect(
    stub.asked.find(({ answer }) => (answer as { id?: string }).id === ofAmount.id)!.body,
  ).toMatchObject({ amount: '100.50', checkout: { paymentTolerance: 99 } })
})
