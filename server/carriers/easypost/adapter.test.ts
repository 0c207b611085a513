/** Specific to EasyPost; tests/conformance covers what holds for every carrier. */
import { afterAll, expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { createAttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import type { AttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { callPurchase, callQuote } from '#server/carriers/calls.ts'
import type { Attempt } from '#server/carriers/port.ts'
import { ADDRESS, createBuyer, shipmentOf } from '#tests/support/carriers/buyer.ts'
import { EASYPOST_KEY, openEasypostStub } from '#tests/support/carriers/easypost-stub.ts'
import { openStubServer } from '#tests/support/carriers/stub-server.ts'
import type { StubRequest } from '#tests/support/carriers/stub-server.ts'
import { testDatabase } from '#tests/support/database.ts'
import { easypostCarrier, isTestKey } from './adapter.ts'

const database = await testDatabase()
const stub = await openEasypostStub()
afterAll(stub.close)
const notes = createAttemptNotes(database)
const options = {
  apiKey: EASYPOST_KEY,
  url: stub.urlOn('fine'),
  instance: () => Promise.resolve('0a1b'),
  notes,
}
const carrier = easypostCarrier(options)
const { signal } = new AbortController()

const shipment = shipmentOf('usps:GROUND_ADVANTAGE')
const { newAttempt } = createBuyer(carrier, shipment)
/** A shipment before its purchase. */
const rated = (id: string) => ({
  id,
  rates: [
    { id: 'rate_1', carrier: 'USPS', service: 'GroundAdvantage', rate: '5.93', currency: 'USD' },
  ],
  messages: [],
})
const shipmentsOf = ({ reference, round }: Attempt) =>
  [...stub.shipments.values()].filter(one => one.reference === `evp-0a1b-${reference}-${round}`)

test('the shipment is noted before it is bought', async () => {
  const attempt = newAttempt()
  const noBook: AttemptNotes = {
    ...notes,
    write: () => Promise.reject(new Error('the disk is full')),
  }
  const forgetful = easypostCarrier({ ...options, notes: noBook })
  expect(await callPurchase(forgetful, attempt, shipment, 5_000)).toMatchObject({
    ok: false,
    kind: 'unknown',
  })
  expect(shipmentsOf(attempt)).toMatchObject([{ purchasedLevel: null }])
  expect(await carrier.lookup(attempt, signal)).toEqual({ found: 'not_purchased' })
})

test('a repeated attempt buys the shipment that an earlier call made, so a lost note hides no purchase', async () => {
  const attempt = newAttempt()
  const forgetful = easypostCarrier({
    ...options,
    notes: { ...notes, write: () => Promise.reject(new Error('the disk is full')) },
  })
  await callPurchase(forgetful, attempt, shipment, 5_000)
  const repeated = { ...attempt, mayBeKnown: true } as const
  expect(await callPurchase(carrier, repeated, shipment, 5_000)).toMatchObject({ ok: true })
  expect(shipmentsOf(attempt)).toMatchObject([{ purchasedLevel: 'GroundAdvantage' }])
  await database.pool.query('delete from carrier_note where reference = $1', [attempt.reference])
  expect(await carrier.lookup(attempt, signal)).toMatchObject({ found: 'purchased' })
})

test('a shipment above the most that it may cost is not bought, and is bought up to it', async () => {
  const attempt = newAttempt()
  const refused = await carrier.purchase(attempt, { ...shipment, maxCost: cents(592) }, signal)
  expect(refused).toMatchObject({
    ok: false,
    kind: 'permanent',
    code: 'ABOVE_CEILING',
    costCents: 593,
  })
  expect(shipmentsOf(attempt)).toMatchObject([{ purchasedLevel: null }])
  expect(await carrier.lookup(attempt, signal)).toEqual({ found: 'not_purchased' })
  const next = newAttempt()
  expect(await carrier.purchase(next, { ...shipment, maxCost: cents(593) }, signal)).toMatchObject({
    ok: true,
    purchase: { costCents: 593 },
  })
})

test('a label that was bought already counts, at any cost', async () => {
  const attempt = newAttempt()
  await carrier.purchase(attempt, shipment, signal)
  expect(await carrier.purchase(attempt, { ...shipment, maxCost: cents(1) }, signal)).toMatchObject(
    { ok: true, purchase: { costCents: 593 } },
  )
})

test('the request to buy is recorded before it is made', async () => {
  const attempt = newAttempt()
  const failing: AttemptNotes = {
    ...notes,
    recordBuyRequest: () => Promise.reject(new Error('the disk is full')),
  }
  const unrecorded = easypostCarrier({ ...options, notes: failing })
  expect(await callPurchase(unrecorded, attempt, shipment, 5_000)).toMatchObject({
    ok: false,
    kind: 'unknown',
  })
  expect(shipmentsOf(attempt)).toMatchObject([{ purchasedLevel: null }])
  expect(await notes.isBuyRequested(attempt)).toBe(false)
  await expect(notes.recordBuyRequest(newAttempt())).rejects.toThrow('has no note')
})

test('after a crash between note and purchase, the same shipment is bought', async () => {
  const attempt = newAttempt()
  const busy = easypostCarrier({ ...options, url: stub.urlOn('busy') })
  expect(await callPurchase(busy, attempt, shipment, 5_000)).toMatchObject({ kind: 'retryable' })
  const id = await notes.find(attempt)
  expect(await callPurchase(carrier, attempt, shipment, 5_000)).toMatchObject({ ok: true })
  expect(shipmentsOf(attempt)).toMatchObject([{ id, purchasedLevel: 'GroundAdvantage' }])
})

test('a database without its notes finds the purchase by our own reference', async () => {
  const attempt = newAttempt()
  const bought = await callPurchase(carrier, attempt, shipment, 5_000)
  await database.pool.query('delete from carrier_note where reference = $1', [attempt.reference])
  expect(bought.ok && (await carrier.lookup(attempt, signal))).toEqual({
    found: 'purchased',
    purchase: bought.ok && bought.purchase,
  })
})

test('a shipment unknown to EasyPost is created again if buying it was never requested', async () => {
  const attempt = newAttempt()
  await notes.write(attempt, 'shp_forgotten')
  expect(await carrier.lookup(attempt, signal)).toEqual({ found: 'not_purchased' })
  expect(await callPurchase(carrier, attempt, shipment, 5_000)).toMatchObject({ ok: true })
  expect(shipmentsOf(attempt)).toMatchObject([
    { id: await notes.find(attempt), purchasedLevel: 'GroundAdvantage' },
  ])
})

test('a shipment that disappears while it is bought is created again by the next attempt', async () => {
  const attempt = newAttempt()
  const busy = easypostCarrier({ ...options, url: stub.urlOn('busy') })
  expect(await callPurchase(busy, attempt, shipment, 5_000)).toMatchObject({ kind: 'retryable' })
  const [first] = shipmentsOf(attempt)
  let reads = 0
  const vanishing = await openStubServer(({ method }) => ({
    reply: () =>
      method === 'GET' && reads++ === 0
        ? { status: 200, body: rated(first!.id) }
        : {
            status: 404,
            body: {
              error: { code: 'NOT_FOUND', message: 'The requested resource could not be found.' },
            },
          },
  }))
  expect(
    await callPurchase(
      easypostCarrier({ ...options, url: vanishing.urlOn('fine') }),
      attempt,
      shipment,
      5_000,
    ),
  ).toMatchObject({ ok: false, kind: 'retryable', code: 'SHIPMENT_GONE' })
  await vanishing.close()
  stub.shipments.delete(first!.id)
  expect(await callPurchase(carrier, attempt, shipment, 5_000)).toMatchObject({ ok: true })
  expect(shipmentsOf(attempt)).toMatchObject([{ purchasedLevel: 'GroundAdvantage' }])
})

test('a shipment that may have been bought and is missing is not bought again', async () => {
  const attempt = newAttempt()
  const lost = easypostCarrier({ ...options, url: stub.urlOn('error-after') })
  expect(await callPurchase(lost, attempt, shipment, 5_000)).toMatchObject({ kind: 'unknown' })
  stub.shipments.delete((await notes.find(attempt))!)
  expect(await carrier.lookup(attempt, signal)).toEqual({ found: 'unknown' })
  expect(await callPurchase(carrier, attempt, shipment, 5_000)).toMatchObject({
    ok: false,
    kind: 'unknown',
    code: 'SHIPMENT_LOST',
  })
  expect(shipmentsOf(attempt)).toEqual([])
})

test('notes of one account do not apply to another', async () => {
  const attempt = newAttempt()
  const [mine, theirs] = [
    createAttemptNotes(database, ['easypost:1']),
    createAttemptNotes(database, ['easypost:2']),
  ]
  await mine.write(attempt, 'shp_1')
  expect([await mine.find(attempt), await theirs.find(attempt)]).toEqual(['shp_1', null])
  const [renewed, alsoRenewed] = [
    createAttemptNotes(database, ['easypost:3', 'easypost:1']),
    createAttemptNotes(database, ['easypost:0', 'easypost:1']),
  ]
  for (const notes of [renewed, alsoRenewed]) {
    expect(await notes.find(attempt)).toBe('shp_1')
    expect(await notes.write(attempt, 'shp_3')).toBe('shp_1')
  }
  expect(await theirs.write(attempt, 'shp_2')).toBe('shp_2')
  await theirs.delete(attempt)
  expect([await mine.find(attempt), await theirs.find(attempt)]).toEqual(['shp_1', null])
})

test('a void makes no more calls than are counted for it', async () => {
  const attempt = newAttempt()
  const bought = await callPurchase(carrier, attempt, shipment, 5_000)
  if (!bought.ok) throw new Error(bought.message)
  const before = stub.requests.length
  const { trackingNumber } = bought.purchase
  expect(await carrier.void({ attempt, trackingNumber }, signal)).toEqual({ kind: 'voided' })
  // The stub lists a request twice.
  expect(new Set(stub.requests.slice(before)).size).toBe(carrier.callsPerVoid)
})

test('a label with another tracking number is not voided', async () => {
  const attempt = newAttempt()
  await callPurchase(carrier, attempt, shipment, 5_000)
  expect(await carrier.void({ attempt, trackingNumber: '9400' }, signal)).toMatchObject({
    kind: 'permanent',
    code: 'LABEL_UNKNOWN',
  })
  expect(shipmentsOf(attempt)).toMatchObject([{ refund: null }])
})

test('reports the account’s balance, rounded down; a key without that permission still buys labels', async () => {
  expect(await carrier.balance(signal)).toBe(120_429)
  const modest = await openStubServer(() => ({
    reply: () => ({ status: 403, body: { error: { code: 'FORBIDDEN', message: 'No' } } }),
  }))
  expect(
    await easypostCarrier({ ...options, url: modest.urlOn('fine') }).balance(signal),
  ).toBeNull()
  await modest.close()
})

test('fetches files only from EasyPost’s known hosts, and without the API key', async () => {
  const attempt = newAttempt()
  await notes.write(attempt, 'shp_1')
  const asked: StubRequest[] = []
  let address = ''
  const client = await openStubServer(request => ({
    reply() {
      asked.push(request)
      return request.path.startsWith('/v2/')
        ? { status: 200, body: { postage_label: { label_url: address } } }
        : { status: 200, bytes: Buffer.from('%PDF-1.4') }
    },
  }))
  const guarded = easypostCarrier({ ...options, url: client.urlOn('fine') })
  const label = () => guarded.fetchLabel!({ attempt, trackingNumber: '9400' }, 'pdf', signal)
  for (address of [
    stub.urlOn('fine'),
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'https://127.0.0.1/x.pdf',
  ]) {
    expect(await label(), address).toMatchObject({ kind: 'not_yet', code: 'STRANGE_ADDRESS' })
  }
  address = `${client.urlOn('fine')}/files/1.pdf`
  expect(await label()).toMatchObject({ kind: 'label', label: { mime: 'application/pdf' } })
  expect(
    asked.map(({ path, headers }) => [path.split('/')[1], headers.authorization !== undefined]),
  ).toEqual([...Array<unknown>(5).fill(['v2', true]), ['files', false]])
  await client.close()
})

test('labels are made as PNG, and EasyPost converts them to PDF and ZPL', async () => {
  const attempt = newAttempt()
  const outcome = await carrier.purchase(attempt, shipment, signal)
  if (!outcome.ok) throw new Error(outcome.message)
  const { trackingNumber } = outcome.purchase
  const made = [...stub.shipments.values()].find(one => one.trackingNumber === trackingNumber)!
  const fetched = async () =>
    Promise.all(
      (['pdf', 'png', 'zpl'] as const).map(async format => {
        const result = await carrier.fetchLabel!({ attempt, trackingNumber }, format, signal)
        return result.kind === 'label' ? result.label.mime : result.kind
      }),
    )
  expect(await fetched()).toEqual(['application/pdf', 'image/png', 'application/zpl'])
  expect(made.conversions.toSorted()).toEqual(['PDF', 'ZPL'])
  // Made as PDF, as before: it is delivered as it is and converted to nothing else.
  made.body = { ...made.body, options: { ...made.body.options, label_format: 'PDF' } }
  expect(await fetched()).toEqual(['application/pdf', 'gone', 'gone'])
})

test('the account’s name does not reveal its key; test keys are recognized', () => {
  expect(carrier.account).toMatch(/^easypost:[0-9a-f]{8}$/)
  expect(easypostCarrier({ ...options, apiKey: 'another' }).account).not.toBe(carrier.account)
  expect([isTestKey('EZTK12'), isTestKey('EZAK12')]).toEqual([true, false])
})

test('a quote is the cheapest rate of a shipment that is never bought', async () => {
  const before = new Set(stub.shipments.keys())
  expect(await callQuote(carrier, shipment, 10_000)).toEqual({ ok: true, costCents: 593 })
  const added = [...stub.shipments.values()].filter(({ id }) => !before.has(id))
  expect(added).toMatchObject([{ purchasedLevel: null }])
  const abroad = { ...shipment, receiver: { ...ADDRESS, country: 'CA' } }
  expect(await callQuote(carrier, abroad, 10_000)).toMatchObject({
    ok: false,
    code: 'NOT_DOMESTIC',
  })
})
