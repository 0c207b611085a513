/** EasyPost's published recordings, if this checkout has them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createAttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import type { Shipment } from '#server/carriers/port.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { openStubServer } from '#tests/support/carriers/stub-server.ts'
import { testDatabase } from '#tests/support/database.ts'
import { easypostCarrier } from './adapter.ts'
import { failureFrom } from './failures.ts'
import { shipmentRequest } from './request.ts'
import {
  parseLabelUrl,
  parseRatedShipment,
  parsePurchase,
  parseRefund,
  parseTracking,
} from './response.ts'

type RecordedExchange = {
  method: string
  path: string
  status: number
  requestBody: Record<string, unknown> | null
  responseBody: RecordedShipment
}
type RecordedShipment = {
  object?: string
  id: string
  tracking_code: string
  selected_rate: { rate: string } | null
  refund_status: string | null
}

const FILE = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  'shared',
  'contracts',
  'easypost',
  'exchanges.json',
)
const cases = existsSync(FILE)
  ? (JSON.parse(readFileSync(FILE, 'utf8')) as { case: string; exchanges: RecordedExchange[] }[])
  : []
const exchanges = cases.flatMap(one => one.exchanges)
const hasRecordings = cases.length > 0
const shipments = exchanges.filter(({ responseBody }) => responseBody?.object === 'Shipment')
const exchangesOf = (name: string): RecordedExchange[] =>
  cases.find(one => one.case === name)?.exchanges ?? []
const answerOf = ({ status, responseBody: body }: RecordedExchange): CarrierResponse => ({
  status,
  headers: new Headers(),
  body,
  bytes: new Uint8Array(),
})

test.runIf(hasRecordings)(
  'every recorded shipment is parsed: bought or not, cost, tracking, file',
  () => {
    expect(shipments.length).toBeGreaterThan(20)
    for (const { responseBody: body } of shipments) {
      const rate = body.selected_rate?.rate
      expect(parsePurchase(body)).toEqual(
        rate === undefined
          ? 'not_purchased'
          : {
              trackingNumber: body.tracking_code,
              costCents: Number(rate.replace('.', '')),
              ...(body.refund_status === 'submitted' && { isVoided: true }),
            },
      )
      expect(parseRatedShipment(body)?.id).toBe(body.id)
      expect(parseTracking(body)).toMatchObject({
        status: expect.stringMatching(/^(unknown|pre_transit)$/) as string,
      })
      expect(parseLabelUrl(body, 'pdf') !== null).toBe(rate !== undefined)
      expect(parseRefund(body, body.tracking_code)).toEqual({
        kind: body.refund_status ?? 'not_asked',
      })
    }
  },
)

const sender = {
  name: 'Jack Sparrow',
  company: 'Pearl',
  phone: '555-555-5555',
  street1: '388 Townsend St',
  street2: 'Apt 20',
  city: 'San Francisco',
  state: 'CA',
  zip: '94107',
  country: 'US',
}
const shipment: Shipment = {
  serviceUid: 'usps:GROUND_ADVANTAGE',
  sender,
  receiver: { ...sender, name: 'Elizabeth Swan' },
  package: {
    length: 10,
    width: 8,
    height: 4,
    weight: 0.96,
    description: '',
    quantity: '1',
    sku: '',
  },
}

test.runIf(hasRecordings)(
  'our requests have only recorded fields, each with a value of the same type',
  () => {
    const [{ requestBody }] = exchangesOf('buys-a-shipment') as [RecordedExchange]
    const asked = requestBody!.shipment as Record<string, Record<string, unknown>>
    const ours = shipmentRequest('123', shipment).shipment
    // The published address has a company, and the published options a label size; both were
    // recorded elsewhere.
    const known: Record<string, unknown> = {
      ...asked,
      from_address: { company: '', ...asked.from_address },
      to_address: { company: '', street2: '', ...asked.to_address },
      options: { label_size: '', ...asked.options },
    }
    for (const [name, value] of Object.entries(ours)) {
      expect(typeof known[name], name).toBe(typeof value)
      if (typeof value !== 'object') continue
      for (const [inner, deep] of Object.entries(value)) {
        expect(typeof (known[name] as Record<string, unknown>)[inner], `${name}.${inner}`).toBe(
          typeof deep,
        )
      }
    }
  },
)

const sentBodies: unknown[] = []
const stubServer = await openStubServer(({ method, path, body }) => {
  const [created, bought] = exchangesOf('buys-a-shipment') as [RecordedExchange, RecordedExchange]
  const { status, responseBody } = path === '/v2/shipments' ? created : bought
  return {
    reply() {
      sentBodies.push([method, path, body])
      return { status, body: responseBody }
    },
  }
})
afterAll(stubServer.close)
const database = await testDatabase()
const options = {
  apiKey: 'EZTK-any',
  instance: () => Promise.resolve('0a1b'),
  notes: createAttemptNotes(database),
}
const { signal } = new AbortController()

test.runIf(hasRecordings)(
  'a recorded purchase is repeated: created, bought at the service’s rate, found, bought once',
  async () => {
    const [created, bought] = exchangesOf('buys-a-shipment') as [RecordedExchange, RecordedExchange]
    const carrier = easypostCarrier({ ...options, url: stubServer.urlOn('fine') })
    const attempt = { reference: '1', round: 1 }
    const purchase = { trackingNumber: '9400100110368068953228', costCents: 593 }
    expect(await carrier.purchase(attempt, shipment, signal)).toEqual({ ok: true, purchase })
    expect(sentBodies).toEqual([
      [created.method, created.path, shipmentRequest('evp-0a1b-1-1', shipment)],
      [bought.method, bought.path, bought.requestBody],
    ])
    expect(await carrier.lookup(attempt, signal)).toEqual({ found: 'purchased', purchase })
    expect(await carrier.purchase(attempt, shipment, signal)).toEqual({ ok: true, purchase })
    expect(sentBodies.filter(one => JSON.stringify(one).includes('/buy'))).toHaveLength(1)
  },
)

test.runIf(hasRecordings)(
  'a recorded refund is submitted once, and then its state is read',
  async () => {
    const [, refunded] = exchangesOf('refunds-a-shipment') as [RecordedExchange, RecordedExchange]
    const { id, tracking_code: trackingNumber } = refunded.responseBody
    const attempt = { reference: '2', round: 1 }
    await options.notes.write(attempt, id)
    let asked = 0
    const client = await openStubServer(({ method }) => ({
      reply() {
        if (method === 'POST') asked++
        return {
          status: 200,
          body:
            asked === 0 ? { ...refunded.responseBody, refund_status: null } : refunded.responseBody,
        }
      },
    }))
    const carrier = easypostCarrier({ ...options, url: client.urlOn('fine') })
    for (let times = 0; times < 3; times++) {
      expect(await carrier.void({ attempt, trackingNumber }, signal)).toEqual({ kind: 'submitted' })
    }
    expect(asked).toBe(1)
    await client.close()
  },
)

test.runIf(hasRecordings)('recorded refusals are permanent and say what is wrong', () => {
  const refused = exchanges.filter(({ status }) => status >= 400)
  expect(refused.length).toBeGreaterThan(3)
  for (const exchange of refused) {
    expect(failureFrom(answerOf(exchange), [], 0, false)).toMatchObject({
      kind: 'permanent',
      message: expect.stringMatching(/^[A-Z].{8,}/) as string,
    })
  }
  const [wrong] = exchangesOf('pulls-out-error-properties-of-an-API-error') as [RecordedExchange]
  expect(failureFrom(answerOf(wrong), [], 0, true).message).toBe(
    'Missing required parameter: shipment cannot be blank',
  )
})
