import { afterAll, expect, test } from 'vitest'
import { createAttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { callQuote, callVoid, callLookup } from '#server/carriers/calls.ts'
import type {
  Attempt,
  Carrier,
  CarrierLabelFormat,
  LabelFileResult,
} from '#server/carriers/port.ts'
import { attemptName } from '#server/carriers/wire/attempt-name.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import { createBuyer, PATIENCE_MS, shipmentOf } from '#tests/support/carriers/buyer.ts'
import { openShipEngineStub, SHIPENGINE_KEYS } from '#tests/support/carriers/shipengine-stub.ts'
import { testDatabase } from '#tests/support/database.ts'
import { loadPublishedContract } from '#tests/support/published-contracts.ts'
import { shipengineCarrier } from './adapter.ts'
import { createClient } from './client.ts'

const database = await testDatabase()
const stub = await openShipEngineStub()
afterAll(stub.close)

const optionsFor = (day?: CarrierBehavior) => ({
  ...SHIPENGINE_KEYS,
  url: stub.urlOn(day),
  instance: () => Promise.resolve('unit'),
  notes: createAttemptNotes(database),
})
const carrierOn = (day?: CarrierBehavior, more: object = {}): Carrier =>
  shipengineCarrier({ ...optionsFor(day), ...more })
const carrier = carrierOn()

const shipment = shipmentOf('usps:PRIORITY_MAIL')
const { newAttempt, buy, bought } = createBuyer(carrier, shipment)
const soldUnder = (attempt: Attempt) =>
  stub.labels.filter(({ name }) => name === attemptName('unit', attempt))
const fetchOn = (
  at: Carrier,
  label: { attempt: Attempt; trackingNumber: string },
  format: CarrierLabelFormat = 'pdf',
): Promise<LabelFileResult> => at.fetchLabel!(label, format, AbortSignal.timeout(PATIENCE_MS))

test('a name that has its label returns that label and no second one', async () => {
  const attempt = newAttempt()
  await buy(attempt, carrierOn('resets-after'))
  expect(await buy(attempt)).toMatchObject({
    ok: true,
    purchase: { trackingNumber: soldUnder(attempt)[0]!.trackingNumber },
  })
  expect(soldUnder(attempt)).toHaveLength(1)
})

test('a shipment left without a label is bought, but only when nothing of its first attempt can still arrive', async () => {
  const attempt = newAttempt()
  stub.addUnlabeledShipment(attemptName('unit', attempt), new Date('2026-11-21T15:00:00Z'))
  const at = (time: string): Carrier => carrierOn(undefined, { now: () => Date.parse(time) })
  expect(await buy(attempt, at('2026-11-21T15:01:00Z'))).toMatchObject({
    ok: false,
    kind: 'unknown',
    code: 'NOT_TOLD',
  })
  expect(soldUnder(attempt)).toEqual([])
  expect(await buy(attempt, at('2026-11-21T15:03:00Z'))).toMatchObject({ ok: true })
  expect(soldUnder(attempt)).toHaveLength(1)
})

test('after a label that failed, nothing more is bought under its name, whichever response is lost', async () => {
  const attempt = newAttempt()
  const late = { now: () => Date.now() + 60 * 60_000 }
  await buy(attempt, carrierOn('resets-after'))
  soldUnder(attempt)[0]!.isBroken = true
  expect(await callLookup(carrier, attempt, PATIENCE_MS)).toEqual({ found: 'not_purchased' })
  for (const day of ['resets-after', undefined, undefined] as const) {
    expect(await buy(attempt, carrierOn(day, late))).toMatchObject({
      ok: false,
      kind: 'permanent',
      code: 'LABEL_ERROR',
    })
  }
  expect(soldUnder(attempt).filter(label => !label.isBroken)).toEqual([])
})

test('a format that ShipEngine does not have of a label is not fetched again and again', async () => {
  const label = await bought()
  expect(await fetchOn(carrierOn(), label, 'zpl')).toMatchObject({
    kind: 'label',
    label: { mime: 'application/zpl' },
  })
  soldUnder(label.attempt)[0]!.isOnlyPdf = true
  for (const format of ['png', 'zpl'] as const)
    expect(await fetchOn(carrierOn(), label, format)).toMatchObject({
      kind: 'gone',
      code: 'OTHER_FORMAT',
    })
  expect(await fetchOn(carrierOn(), label)).toMatchObject({ kind: 'label' })
})

test('a file is fetched from its address if the response does not contain it, and from no other host', async () => {
  const label = await bought()
  const client = createClient(optionsFor())
  const { id } = soldUnder(label.attempt)[0]!
  const there = {
    id,
    isVoided: false,
    state: 'sold',
    trackingNumber: label.trackingNumber,
    costCents: 0 as never,
  } as const
  const fetched = (file: string | null) =>
    client.fetchFile(
      { ...there, files: { pdf: file, png: null, zpl: null } },
      'pdf',
      AbortSignal.timeout(PATIENCE_MS),
    )
  expect(await fetched(`${stub.urlOn()}/v1/downloads/10/abc/label-${id}.pdf`)).toMatchObject({
    kind: 'label',
  })
  for (const file of [
    'http://169.254.169.254/latest',
    'https://api.shipengine.com.evil.test/x',
    'file:///etc/passwd',
    null,
  ]) {
    expect(await fetched(file)).toMatchObject({ kind: 'not_yet', code: 'NO_FILE' })
  }
  expect(await fetchOn(carrierOn('label-strange'), label)).toMatchObject({ kind: 'not_yet' })
  expect(await fetchOn(carrier, { ...label, attempt: newAttempt() })).toMatchObject({
    kind: 'gone',
  })
})

test('another account’s label is not voided', async () => {
  const [mine, other] = [await bought(), await bought()]
  expect(
    await callVoid(carrier, { ...mine, trackingNumber: other.trackingNumber }, PATIENCE_MS),
  ).toMatchObject({ kind: 'permanent' })
  expect(stub.labels.filter(({ isVoided }) => isVoided)).toEqual([])
})

test('a void makes no more calls than are counted for it', async () => {
  const label = await bought()
  const before = stub.requests.length
  expect(await callVoid(carrier, label, PATIENCE_MS)).toEqual({ kind: 'voided' })
  expect(stub.requests.length - before).toBe(carrier.callsPerVoid)
})

test('a sold label that is not found is not reported as unsold', async () => {
  const label = await bought()
  stub.labels.splice(
    stub.labels.findIndex(({ trackingNumber }) => trackingNumber === label.trackingNumber),
    1,
  )
  expect(await callLookup(carrier, label.attempt, PATIENCE_MS)).toEqual({ found: 'unknown' })
})

test('a wrong key leaves voids and lookups pending and is no label’s fault', async () => {
  const label = await bought()
  const locked = carrierOn('wrong-key')
  expect(await callVoid(locked, label, PATIENCE_MS)).toMatchObject({ kind: 'retryable' })
  expect(await callLookup(locked, label.attempt, PATIENCE_MS)).toEqual({ found: 'unknown' })
})

test('reports the account’s balance and rate limit', async () => {
  expect(await carrier.balance(AbortSignal.timeout(PATIENCE_MS))).toBe(379_952)
  expect(carrier.rateLimit).toEqual({ perMinute: 200, burst: 20 })
  expect(carrierOn(undefined, { apiKey: 'TEST_x' }).rateLimit).toEqual({ perMinute: 20, burst: 5 })
})

const contract = loadPublishedContract('shipengine/openapi.yaml')
test.runIf(contract)('every request matches the published interface', async () => {
  const label = await bought()
  await fetchOn(carrier, label)
  await carrier.track!(label, AbortSignal.timeout(PATIENCE_MS))
  await callVoid(carrier, label, PATIENCE_MS)
  await callQuote(carrier, shipment, PATIENCE_MS)
  await carrier.balance(AbortSignal.timeout(PATIENCE_MS))
  const kinds = new Set(stub.requests.map(({ what }) => what.replace(/se-[^/]+|evp-[\w-]+/, '*')))
  expect([...kinds].toSorted()).toEqual([
    'GET /v1/carriers/*',
    'GET /v1/labels/*',
    'GET /v1/labels/*/track',
    'GET /v1/labels/external_shipment_id/*',
    'GET /v1/shipments/external_shipment_id/*',
    'POST /v1/labels',
    'POST /v1/labels/shipment/*',
    'POST /v1/rates/estimate',
    'PUT /v1/labels/*/void',
  ])
  for (const { what, request } of stub.requests)
    expect([what, ...contract!.requestErrors(request)]).toEqual([what])
})

test('a quote is the price of a parcel in its own box with all charges, and sells nothing', async () => {
  const sold = stub.labels.length
  const quote = await callQuote(carrier, shipment, PATIENCE_MS)
  expect(quote).toEqual({ ok: true, costCents: 715 })
  expect(stub.labels).toHaveLength(sold)
})

test('a service without an estimate is refused with the carrier’s reason', async () => {
  const express = { ...shipment, serviceUid: 'usps:PRIORITY_MAIL_EXPRESS' }
  expect(await callQuote(carrier, express, PATIENCE_MS)).toMatchObject({
    ok: false,
    kind: 'permanent',
    message: 'The carrier has no price for this parcel: Too heavy for this service',
  })
  expect(await callQuote(carrierOn('busy'), shipment, PATIENCE_MS)).toMatchObject({
    ok: false,
    kind: 'retryable',
  })
})
