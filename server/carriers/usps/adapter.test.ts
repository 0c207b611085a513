import { afterAll, expect, test } from 'vitest'
import { createAttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { callQuote, callVoid, callLookup } from '#server/carriers/calls.ts'
import type { Carrier } from '#server/carriers/port.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import { createBuyer, PATIENCE_MS, shipmentOf } from '#tests/support/carriers/buyer.ts'
import { openUspsStub, USPS_ACCOUNT, USPS_KEYS } from '#tests/support/carriers/usps-stub.ts'
import { testDatabase } from '#tests/support/database.ts'
import { loadPublishedContract } from '#tests/support/published-contracts.ts'
import { uspsCarrier } from './adapter.ts'

const database = await testDatabase()
const stub = await openUspsStub()
afterAll(stub.close)

let today = new Date('2026-11-21T15:00:00Z')
const carrierOn = (day?: CarrierBehavior, options: object = {}): Carrier =>
  uspsCarrier({
    ...USPS_KEYS,
    url: stub.urlOn(day),
    account: USPS_ACCOUNT,
    instance: () => Promise.resolve('unit'),
    notes: createAttemptNotes(database),
    now: () => today,
    ...options,
  })
const carrier = carrierOn()

const shipment = shipmentOf('usps:PRIORITY_MAIL')
const { newAttempt, buy, bought } = createBuyer(carrier, shipment)
const timesAsked = (what: string): number => stub.requests.filter(one => one.what === what).length

test('tokens are requested once, and again only when the carrier rejects them', async () => {
  const own = carrierOn()
  const before = timesAsked('POST /oauth2/v3/token')
  await Promise.all(Array.from({ length: 5 }, () => buy(newAttempt(), own)))
  expect(timesAsked('POST /oauth2/v3/token') - before).toBe(1)
  stub.revokeTokens()
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => buy(newAttempt(), own)))
  expect(outcomes.map(({ ok }) => ok)).toEqual(Array(5).fill(true))
  expect(timesAsked('POST /oauth2/v3/token') - before).toBe(2)
})

test('a label requested again days later is the one sold then', async () => {
  const attempt = newAttempt()
  await buy(attempt, carrierOn('resets-after'))
  today = new Date('2026-11-24T15:00:00Z')
  expect(await buy(attempt)).toMatchObject({ ok: true })
  expect([...stub.labels.values()].filter(({ body }) => body.includes('2026-11-24'))).toEqual([])
})

test('a label that was not sold days ago is bought with today’s date', async () => {
  const attempt = newAttempt()
  today = new Date('2026-11-21T15:00:00Z')
  expect(await buy(attempt, carrierOn('busy'))).toMatchObject({ kind: 'retryable' })
  today = new Date('2026-11-22T15:00:00Z')
  expect(await buy(attempt)).toMatchObject({ ok: true })
  expect([...stub.labels.values()].at(-1)?.body).toContain('"mailingDate":"2026-11-22"')
})

test('a disputed refund stays submitted, and nothing is requested after that day', async () => {
  const label = await bought()
  expect(await callVoid(carrierOn('void-submitted'), label, PATIENCE_MS)).toEqual({
    kind: 'submitted',
  })
  expect(await callVoid(carrierOn('void-submitted'), label, PATIENCE_MS)).toEqual({
    kind: 'submitted',
  })
  expect(await callVoid(carrierOn('void-refused'), label, PATIENCE_MS)).toEqual({
    kind: 'submitted',
  })
  const asked = timesAsked('DELETE /labels/v3/label/*')
  today = new Date(today.getTime() + 24 * 60 * 60_000)
  expect(await callVoid(carrier, label, PATIENCE_MS)).toEqual({ kind: 'submitted' })
  expect(timesAsked('DELETE /labels/v3/label/*')).toBe(asked)
})

test('a label that the carrier does not know is not voided, however often it is requested', async () => {
  const label = { attempt: newAttempt(), trackingNumber: '9205590999999999999999' }
  const answers = [
    await callVoid(carrier, label, PATIENCE_MS),
    await callVoid(carrier, label, PATIENCE_MS),
  ]
  expect(answers).toMatchObject(
    Array(2).fill({
      kind: 'permanent',
      message: 'Order not found (trackingNumber: 9205590999999999999999)',
    }),
  )
})

test('a void that certainly did not happen does not count as done when the carrier does not know the label', async () => {
  for (const day of ['wrong-key', 'away', 'void-busy'] as const) {
    const label = { attempt: newAttempt(), trackingNumber: '9205590999999999999999' }
    expect(await callVoid(carrierOn(day), label, PATIENCE_MS), day).toMatchObject({
      kind: 'retryable',
    })
    expect(await callVoid(carrier, label, PATIENCE_MS), day).toMatchObject({ kind: 'permanent' })
  }
})

test('a void with a lost response is done when the label is gone, also after a busy response', async () => {
  const label = await bought()
  expect(await callVoid(carrierOn('void-lost'), label, PATIENCE_MS)).toMatchObject({
    kind: 'unknown',
  })
  expect(await callVoid(carrierOn('void-busy'), label, PATIENCE_MS)).toMatchObject({
    kind: 'retryable',
  })
  expect(await callVoid(carrier, label, PATIENCE_MS)).toEqual({ kind: 'voided' })
})

test('a void whose process died is done when the label is gone', async () => {
  const label = await bought()
  await createAttemptNotes(database).write(
    { ...label.attempt, reference: `${label.attempt.reference} void asked` },
    '2026-11-21',
  )
  stub.labels.get([...stub.labels.keys()].at(-1)!)!.state = 'cancelled'
  expect(await callVoid(carrierOn('void-busy'), label, PATIENCE_MS)).toMatchObject({
    kind: 'retryable',
  })
  expect(await callVoid(carrier, label, PATIENCE_MS)).toEqual({ kind: 'voided' })
})

test('a label that was cancelled without an answer is voided, although USPS refuses the next request', async () => {
  const label = await bought()
  await callVoid(carrierOn('void-lost'), label, PATIENCE_MS)
  const refused = carrierOn('void-refused')
  expect(await callVoid(refused, label, PATIENCE_MS)).toEqual({ kind: 'voided' })
  const asked = stub.requests.length
  expect(await callVoid(refused, label, PATIENCE_MS)).toEqual({ kind: 'voided' })
  expect(stub.requests).toHaveLength(asked)
})

test('a refusal after an unanswered request proves nothing while USPS reprints nothing', async () => {
  const label = { ...(await bought()), isUnanswered: true }
  const noted = [...stub.labels.values()].at(-1)!
  noted.reprints = 3
  const refused = carrierOn('void-refused')
  const answer = await callVoid(refused, label, PATIENCE_MS)
  expect(answer).toMatchObject({ kind: 'permanent' })
  expect(answer).not.toHaveProperty('isStillValid')
  noted.reprints = 0
  expect(await callVoid(refused, label, PATIENCE_MS)).toMatchObject({
    kind: 'permanent',
    isStillValid: true,
  })
  expect(noted.reprints).toBe(1)
})

test('wrong credentials leave voids and lookups pending and are no label’s fault', async () => {
  const label = await bought()
  const locked = carrierOn('wrong-key')
  expect(await callVoid(locked, label, PATIENCE_MS)).toMatchObject({ kind: 'retryable' })
  expect(await callLookup(locked, label.attempt, PATIENCE_MS)).toEqual({ found: 'unknown' })
})

test('a fourth reprint is unavailable', async () => {
  const label = await bought()
  const fetched = async () =>
    (await carrier.fetchLabel!(label, 'pdf', AbortSignal.timeout(PATIENCE_MS))).kind
  expect([await fetched(), await fetched(), await fetched(), await fetched()]).toEqual([
    'label',
    'label',
    'label',
    'gone',
  ])
})

const contract = loadPublishedContract('usps/usps-v3.min.openapi.yaml')
test.runIf(contract)('every request matches the published interface', async () => {
  const label = await bought()
  for (const format of carrier.labelFormats)
    await carrier.fetchLabel!(label, format, AbortSignal.timeout(PATIENCE_MS))
  await callVoid(carrier, label, PATIENCE_MS)
  await callQuote(carrier, shipment, PATIENCE_MS)
  expect(new Set(stub.requests.map(({ what }) => what)).size).toBe(6)
  for (const { what, request } of stub.requests)
    expect([what, ...contract!.requestErrors(request)]).toEqual([what])
})

test('a quote tells the base price, sells nothing, and needs no token that pays', async () => {
  const sold = stub.labels.size
  expect(await callQuote(carrier, shipment, PATIENCE_MS)).toEqual({ ok: true, costCents: 690 })
  expect(stub.labels.size).toBe(sold)
  const { request } = stub.requests.findLast(({ what }) => what.includes('/prices/'))!
  expect(request.headers).not.toHaveProperty('x-payment-authorization-token')
})

test('a quote asks for no payment, and the first label after it for one, also when the access has ended', async () => {
  const own = carrierOn()
  const payments = (): number => timesAsked('POST /payments/v3/payment-authorization')
  const before = payments()
  expect(await callQuote(own, shipment, PATIENCE_MS)).toMatchObject({ ok: true })
  expect(payments()).toBe(before)
  stub.revokeTokens()
  expect(await buy(newAttempt(), own)).toMatchObject({ ok: true })
  const paid = payments()
  expect(await callQuote(own, shipment, PATIENCE_MS)).toMatchObject({ ok: true })
  expect(await buy(newAttempt(), own)).toMatchObject({ ok: true })
  expect(payments()).toBe(paid)
})

test('a quote with a signature is refused, because the base price has none', async () => {
  const signed = { ...shipment, signature: 'signature' } as const
  expect(await callQuote(carrier, signed, PATIENCE_MS)).toMatchObject({
    ok: false,
    kind: 'permanent',
    code: 'NOT_QUOTED',
  })
})

test('a busy carrier has no quote', async () => {
  expect(await callQuote(carrierOn('busy'), shipment, PATIENCE_MS)).toMatchObject({
    ok: false,
    kind: 'retryable',
  })
})
