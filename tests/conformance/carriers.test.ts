/**
 * What we rely on for every carrier, asked of every adapter in the same words, each against a stub
 * that records sales and fails on command (tests/conformance/subject.ts). The README shows the
 * result as a table.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { callPurchase, callVoid, callLookup } from '#server/carriers/calls.ts'
import { LABEL_MIME, PURCHASED_FORMAT } from '#server/carriers/port.ts'
import type {
  Attempt,
  PurchasedLabel,
  VoidRequest,
  Carrier,
  CarrierLabelFormat,
  PurchaseResult,
} from '#server/carriers/port.ts'
import { POSTAL_SERVICES } from '#server/carriers/services.ts'
import { detectLabel } from '#server/carriers/wire/parsing.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import { testDatabase } from '#tests/support/database.ts'
import { hasContract, requestFaults } from './published.ts'
import { shipment } from './shipment.ts'
import { SUBJECTS } from './subjects.ts'

const CALL_TIMEOUT_MS = 10_000
/** For behaviors without a response. */
const SHORT_CALL_TIMEOUT_MS = 400

const database = await testDatabase()

const subjects = await Promise.all(
  SUBJECTS.map(async subject => ({ ...subject, opened: await subject.open(database) })),
)
afterAll(async () => {
  for (const { opened } of subjects) await opened.close()
})

// A carrier that keeps its labels in the same database must meet each number once.
let orders = 1_000
const newAttempt = (): Attempt => ({ reference: String(++orders), round: 1 })

describe.each(subjects)('$name', ({ unsupported, opened }) => {
  const { soldFor } = opened
  /** All responses, searched for secrets at the end. */
  const heard: string[] = []
  const hear = <A>(response: A): A => {
    heard.push(JSON.stringify(response))
    return response
  }
  const patience = (behavior: CarrierBehavior): number =>
    behavior === 'late' ? SHORT_CALL_TIMEOUT_MS : CALL_TIMEOUT_MS
  const buy = async (
    attempt: Attempt,
    behavior: CarrierBehavior = 'fine',
    options = shipment,
  ): Promise<PurchaseResult> =>
    hear(await callPurchase(opened.withBehavior(behavior), attempt, options, patience(behavior)))
  const lookUp = async (attempt: Attempt) =>
    hear(await callLookup(opened.withBehavior('fine'), attempt, CALL_TIMEOUT_MS))
  const voidOn = async (label: VoidRequest, behavior: CarrierBehavior) =>
    hear(await callVoid(opened.withBehavior(behavior), label, CALL_TIMEOUT_MS))

  /** Buys a label with a behavior that sells one. */
  async function bought(behavior: CarrierBehavior = 'fine'): Promise<PurchasedLabel> {
    const attempt = newAttempt()
    const outcome = await buy(attempt, behavior)
    expect(outcome).toMatchObject({ ok: true })
    return { attempt, trackingNumber: outcome.ok ? outcome.purchase.trackingNumber : '' }
  }

  /** Those of these behaviors that this carrier can have. */
  const ifCan = (...wanted: CarrierBehavior[]): CarrierBehavior[] =>
    wanted.filter(behavior => unsupported[behavior] === undefined)
  /** A carrier whose labels we draw ourselves has no files; one that does not say where parcels are has no parcels to move. */
  const ifFiles = (...wanted: CarrierBehavior[]): CarrierBehavior[] =>
    opened.withBehavior('fine').fetchLabel ? ifCan(...wanted) : []
  /** One that tells only afterwards what it sold must not be asked again before. */
  const ifRepeatable: CarrierBehavior[] =
    opened.withBehavior('fine').idempotency === 'lookup' ? [] : ['fine']
  const ifTracked: CarrierBehavior[] = opened.moveParcel ? ['fine'] : []

  test('sells our services', async () => {
    expect(await opened.withBehavior('fine').services()).toEqual(POSTAL_SERVICES)
  })

  test('the same attempt is the same label, however often it is requested', async () => {
    const attempt = newAttempt()
    const first = await buy(attempt)
    expect(first).toMatchObject({ ok: true })
    if (ifRepeatable.length > 0) expect(await buy(attempt)).toMatchObject(first)
    expect(await lookUp(attempt)).toMatchObject({ found: 'purchased', purchase: labelIn(first) })
    expect(await soldFor(attempt)).toHaveLength(1)
  })

  test.each(ifRepeatable)('ten parallel requests for one attempt get one label', async () => {
    const attempt = newAttempt()
    const carrier = opened.withBehavior('fine')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => callPurchase(carrier, attempt, shipment, CALL_TIMEOUT_MS)),
    )
    const [sold, ...more] = await soldFor(attempt)
    expect(more).toEqual([])
    for (const response of answers.map(hear)) {
      // A parallel request may be told to wait, but never refused.
      if (response.ok) expect(response.purchase.trackingNumber).toBe(sold?.trackingNumber)
      else expect(['unknown', 'retryable']).toContain(response.kind)
    }
    expect(await lookUp(attempt)).toMatchObject({
      found: 'purchased',
      purchase: { trackingNumber: sold?.trackingNumber },
    })
  })

  test('a new round is a new label', async () => {
    const first = await bought()
    const second = await buy({ ...first.attempt, round: 2 })
    expect(second).toMatchObject({ ok: true })
    expect(labelIn(second)).not.toMatchObject({ trackingNumber: first.trackingNumber })
    expect(await soldFor(first.attempt)).toHaveLength(1)
  })

  test('reports its cost in whole cents', async () => {
    const label = await bought()
    const [sold] = await soldFor(label.attempt)
    expect(sold!.cents).toBeGreaterThan(0)
    expect(await lookUp(label.attempt)).toMatchObject({
      purchase: { costCents: sold!.cents, trackingNumber: sold!.trackingNumber },
    })
  })

  test.each(
    ifCan('resets-after', 'error-after', 'page-after', 'cut-after', 'nonsense-after', 'late'),
  )('a lost response (%s) is found, and the label is never bought twice', async behavior => {
    const attempt = newAttempt()
    expect(await buy(attempt, behavior)).toMatchObject({ ok: false, kind: 'unknown' })
    await expect
      .poll(() => lookUp(attempt), { timeout: CALL_TIMEOUT_MS })
      .toMatchObject({ found: 'purchased' })
    const [sold, ...more] = await soldFor(attempt)
    expect(more).toEqual([])
    expect(await lookUp(attempt)).toMatchObject({
      purchase: { trackingNumber: sold!.trackingNumber, costCents: sold!.cents },
    })
    if (ifRepeatable.length === 0) return
    expect(await buy(attempt)).toMatchObject({
      ok: true,
      purchase: { trackingNumber: sold!.trackingNumber },
    })
    expect(await soldFor(attempt)).toHaveLength(1)
  })

  test.each(ifCan('resets-before'))(
    'a request that may not have arrived: a lookup shows that nothing was sold',
    async () => {
      const attempt = newAttempt()
      expect(await buy(attempt, 'resets-before')).toMatchObject({ ok: false, kind: 'unknown' })
      expect(await lookUp(attempt)).toEqual({ found: 'not_purchased' })
      expect(await buy(attempt)).toMatchObject({ ok: true })
      expect(await soldFor(attempt)).toHaveLength(1)
    },
  )

  test('what was never requested was not bought', async () => {
    expect(await lookUp(newAttempt())).toEqual({ found: 'not_purchased' })
  })

  test('a refusal is permanent and says why in a sentence', async () => {
    const attempt = newAttempt()
    const outcome = await buy(attempt, 'refuses')
    expect(outcome).toMatchObject({
      ok: false,
      kind: 'permanent',
      message: expect.stringMatching(SENTENCE) as string,
    })
    expect(JSON.stringify(outcome)).not.toMatch(/undefined|\[object|null/)
    expect(await soldFor(attempt)).toEqual([])
  })

  test('a service that it does not sell is refused', async () => {
    expect(
      await buy(newAttempt(), 'fine', { ...shipment, serviceUid: 'usps:PIGEON' }),
    ).toMatchObject({ ok: false, kind: 'permanent' })
  })

  test.each(ifCan('busy'))('busy: nothing happened, and it says when to try again', async () => {
    const attempt = newAttempt()
    const outcome = await buy(attempt, 'busy')
    expect(outcome).toMatchObject({
      ok: false,
      kind: 'retryable',
      retryAfterMs: expect.any(Number) as number,
    })
    expect(outcome.ok || outcome.retryAfterMs).toBeGreaterThan(0)
    expect(await soldFor(attempt)).toEqual([])
    expect(await buy(attempt)).toMatchObject({ ok: true })
    expect(await soldFor(attempt)).toHaveLength(1)
  })

  test.each(ifCan('no-funds', 'wrong-key'))(
    'a problem of the account (%s) is no label’s fault',
    async behavior => {
      const attempt = newAttempt()
      expect(await buy(attempt, behavior)).toMatchObject({ ok: false, kind: 'account' })
      expect(await soldFor(attempt)).toEqual([])
      expect(await buy(attempt)).toMatchObject({ ok: true })
    },
  )

  test.each(ifCan('away'))('a request that was certainly not sent may be sent again', async () => {
    const attempt = newAttempt()
    expect(await buy(attempt, 'away')).toMatchObject({ ok: false, kind: 'retryable' })
    expect(await callLookup(opened.withBehavior('away'), attempt, CALL_TIMEOUT_MS)).toEqual({
      found: 'unknown',
    })
    const label = await bought()
    expect(await voidOn(label, 'away')).toMatchObject({ kind: 'retryable' })
    expect(await soldFor(label.attempt)).toMatchObject([{ isVoided: false }])
  })

  test('a void is confirmed, and again each time it is requested', async () => {
    const label = await bought()
    expect(await voidOn(label, 'fine')).toMatchObject({ kind: 'voided' })
    expect(await soldFor(label.attempt)).toMatchObject([{ isVoided: true }])
    expect(await voidOn(label, 'fine')).toMatchObject({ kind: 'voided' })
  })

  /** Carriers whose look-ups tell what became of a label's money. */
  const ifTellsVoids: CarrierBehavior[] =
    opened.withBehavior('fine').lookupReportsVoids === false ? [] : ['fine']

  test.each(ifTellsVoids)('a voided label is found as bought and voided', async () => {
    const label = await bought()
    const { trackingNumber } = label
    const before = await lookUp(label.attempt)
    expect(before.found === 'purchased' && before.purchase).not.toHaveProperty('isVoided')
    await voidOn(label, 'fine')
    expect(await lookUp(label.attempt)).toMatchObject({
      found: 'purchased',
      purchase: { trackingNumber, isVoided: true },
    })
  })

  test.each(ifCan('void-submitted'))(
    'a pending void is requested again and confirmed later',
    async () => {
      const label = await bought('void-submitted')
      expect(await voidOn(label, 'void-submitted')).toMatchObject({ kind: 'submitted' })
      expect(await voidOn(label, 'void-submitted')).toMatchObject({ kind: 'submitted' })
      expect(await soldFor(label.attempt)).toMatchObject([{ isVoided: false }])
      expect(await voidOn(label, 'fine')).toMatchObject({ kind: 'voided' })
      expect(await soldFor(label.attempt)).toMatchObject([{ isVoided: true }])
    },
  )

  test.each(ifCan('void-refused'))(
    'a refused void has a reason, and the label stays valid',
    async () => {
      const label = await bought('void-refused')
      expect(await voidOn(label, 'void-refused')).toMatchObject({
        kind: 'permanent',
        message: expect.stringMatching(SENTENCE) as string,
      })
      expect(await soldFor(label.attempt)).toMatchObject([{ isVoided: false }])
    },
  )

  test.each(ifCan('void-lost'))(
    'a void with a lost response is found by requesting it again',
    async () => {
      const label = await bought('void-lost')
      expect(await voidOn(label, 'void-lost')).toMatchObject({ kind: 'unknown' })
      expect(await voidOn(label, 'fine')).toMatchObject({ kind: 'voided' })
    },
  )

  test.each(ifCan('void-lost'))(
    'a label that was voided without an answer stays voided when the next request is refused',
    async () => {
      const label = await bought('void-lost')
      expect(await voidOn(label, 'void-lost')).toMatchObject({ kind: 'unknown' })
      const again = { ...label, isUnanswered: true }
      expect(await voidOn(again, 'void-refused')).toMatchObject({ kind: 'voided' })
      expect(await soldFor(label.attempt)).toMatchObject([{ isVoided: true }])
    },
  )

  test.each(ifCan('void-refused'))(
    'a refusal after an unanswered request says that the label is still valid',
    async () => {
      const label = await bought('void-refused')
      const asked = { ...label, isUnanswered: true }
      expect(await voidOn(asked, 'void-refused')).toMatchObject({
        kind: 'permanent',
        isStillValid: true,
      })
    },
  )

  test.each(ifCan('void-busy'))(
    'a void that timed out before it was sent did not happen',
    async () => {
      const label = await bought('void-busy')
      expect(await voidOn(label, 'void-busy')).toMatchObject({ kind: 'retryable' })
      expect(await soldFor(label.attempt)).toMatchObject([{ isVoided: false }])
    },
  )

  test('declares a quarantine if only a lookup tells what was sold', () => {
    const { idempotency, quarantineMs } = opened.withBehavior('fine')
    expect(quarantineMs > 0).toBe(idempotency === 'lookup')
  })

  const fetchOn = (
    behavior: CarrierBehavior,
    label: PurchasedLabel,
    format: CarrierLabelFormat = PURCHASED_FORMAT,
  ) =>
    withTimeout(CALL_TIMEOUT_MS, signal =>
      opened.withBehavior(behavior).fetchLabel!(label, format, signal),
    )

  const fileOf = async (label: PurchasedLabel, format?: CarrierLabelFormat) => {
    const result = await fetchOn('fine', label, format)
    if (result.kind !== 'label') throw new Error(`${result.code}: ${result.message}`)
    return result.label
  }

  test.each(ifFiles('fine'))('returns the label file as PDF or PNG, and again', async () => {
    const label = await bought()
    for (const { mime, bytes } of [await fileOf(label), await fileOf(label)]) {
      const begin = Buffer.from(bytes.subarray(0, 5)).toString('latin1')
      expect(begin).toBe(mime === 'application/pdf' ? '%PDF-' : '\x89PNG\r')
    }
  })

  test.each([...opened.withBehavior('fine').labelFormats])(
    'delivers a label as %s when that format is requested, and again',
    async format => {
      const label = await bought()
      for (const { mime, bytes } of [await fileOf(label, format), await fileOf(label, format)]) {
        expect([mime, detectLabel(bytes)?.mime]).toEqual([LABEL_MIME[format], LABEL_MIME[format]])
        expect(Buffer.from(bytes).toString('latin1')).toContain(label.trackingNumber)
      }
    },
  )

  test('names the formats of its label files, the purchased one among them', () => {
    const { fetchLabel, labelFormats } = opened.withBehavior('fine')
    expect(labelFormats.includes(PURCHASED_FORMAT)).toBe(fetchLabel !== null)
  })

  test.each(ifFiles('label-late', 'label-strange'))(
    'a file that is not ready (%s) is fetched later',
    async behavior => {
      const label = await bought(behavior)
      expect(hear(await fetchOn(behavior, label).catch(String))).not.toMatchObject({
        kind: 'label',
      })
      expect(await fetchOn('fine', label)).toMatchObject({ kind: 'label' })
    },
  )

  test.each(ifTracked)('reports where a parcel is in our statuses', async () => {
    const label = await bought()
    for (const status of ['pre_transit', 'in_transit', 'delivered'] as const) {
      opened.moveParcel!(label.trackingNumber, status)
      expect(
        await withTimeout(CALL_TIMEOUT_MS, signal =>
          opened.withBehavior('fine').track!(label, signal),
        ),
      ).toMatchObject({ status })
    }
  })

  test.runIf(hasContract(opened))('every request is as the carrier publishes it', () =>
    expect(requestFaults(opened)).toEqual([]),
  )

  test('no message contains a secret', async () => {
    const { account, name } = opened.withBehavior('fine')
    for (const text of [...heard, account, name, await lastMessage(opened.withBehavior('fine'))]) {
      for (const secret of opened.secrets) expect(text).not.toContain(secret)
    }
    expect(heard.length).toBeGreaterThan(0)
  })
})

const SENTENCE = /^[A-Z].{8,}/

/** The tracking number in an answer to a purchase. */
const labelIn = (outcome: PurchaseResult): { trackingNumber?: string } =>
  outcome.ok ? { trackingNumber: outcome.purchase.trackingNumber } : {}

/** What a carrier throws when it is asked with no time left. */
const lastMessage = (carrier: Carrier): Promise<string> =>
  carrier
    .purchase(newAttempt(), shipment, AbortSignal.abort())
    .then(JSON.stringify, error => String(error?.stack ?? error))
