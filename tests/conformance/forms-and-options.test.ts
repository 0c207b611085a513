/**
 * SCAN forms, options, tracking and the wire, asked of every adapter in the same words, each against
 * a stub that keeps books (tests/conformance/subject.ts).
 */
import { afterAll, describe, expect, test } from 'vitest'
import {
  callFetchLabel,
  callLookUpScanForm,
  callMakeScanForm,
  callPurchase,
  callTrack,
  callVoid,
} from '#server/carriers/calls.ts'
import { LABEL_MIME } from '#server/carriers/port.ts'
import type { PurchasedLabel, ScanFormRequest, Shipment } from '#server/carriers/port.ts'
import { POSTAL_SERVICES } from '#server/carriers/services.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import { testDatabase } from '#tests/support/database.ts'
import { hasContract, requestFaults } from './published.ts'
import { shipment } from './shipment.ts'
import { SUBJECTS } from './subjects.ts'

const CALL_TIMEOUT_MS = 10_000
/** The sandbox never answers where a form is lost. */
const LOST_TIMEOUT_MS = 400

const database = await testDatabase()
const subjects = await Promise.all(
  SUBJECTS.map(async subject => ({ ...subject, opened: await subject.open(database) })),
)
afterAll(async () => {
  for (const { opened } of subjects) await opened.close()
})

let orders = 50_000
let formNames = 0

describe.each(subjects)('$name', ({ unsupported, opened }) => {
  const fine = opened.withBehavior('fine')
  const forms = fine.scanForms!
  const ifCan = (...wanted: CarrierBehavior[]): CarrierBehavior[] =>
    wanted.filter(behavior => unsupported[behavior] === undefined)

  async function bought(options: Partial<Shipment> = {}): Promise<PurchasedLabel> {
    const attempt = { reference: String(++orders), round: 1 }
    const outcome = await callPurchase(fine, attempt, { ...shipment, ...options }, CALL_TIMEOUT_MS)
    expect(outcome).toMatchObject({ ok: true })
    return { attempt, trackingNumber: outcome.ok ? outcome.purchase.trackingNumber : '' }
  }
  const requestOf = (labels: PurchasedLabel[]): ScanFormRequest => ({
    name: `form-${++formNames}`,
    sender: shipment.sender,
    day: '2026-11-23',
    labels,
  })
  const make = (request: ScanFormRequest, behavior: CarrierBehavior = 'fine') =>
    callMakeScanForm(
      opened.withBehavior(behavior).scanForms!,
      request,
      behavior === 'form-lost' ? LOST_TIMEOUT_MS : CALL_TIMEOUT_MS,
    )
  const lookUp = (request: ScanFormRequest, ref: string | null = null) =>
    callLookUpScanForm(forms, request, ref, CALL_TIMEOUT_MS)
  const isFile = (files: unknown): boolean =>
    files === 'drawn'
    || (Array.isArray(files)
      && files.length > 0
      && files.every(bytes => isPdf(bytes as Uint8Array)))

  test('labels are on one form in the carrier’s books, and it comes as PDF', async () => {
    const labels = [await bought(), await bought({ serviceUid: 'usps:PRIORITY_MAIL' })]
    const form = await make(requestOf(labels))
    expect(form).toMatchObject({ kind: 'made', ref: expect.stringMatching(/\S/) })
    expect(form.kind === 'made' && isFile(form.files)).toBe(true)
    for (const { trackingNumber } of labels) expect(await opened.formsWith(trackingNumber)).toBe(1)
  })

  test('a label on a form, and a voided one, are refused for another form', async () => {
    const [first, second, voided] = [await bought(), await bought(), await bought()]
    expect(await make(requestOf([first]))).toMatchObject({ kind: 'made' })
    expect(await make(requestOf([first, second]))).toMatchObject({
      kind: 'permanent',
      message: expect.stringMatching(/^[A-Z].{8,}/),
    })
    await callVoid(fine, voided, CALL_TIMEOUT_MS)
    expect(await make(requestOf([second, voided]))).toMatchObject({ kind: 'permanent' })
    expect(await opened.formsWith(first.trackingNumber)).toBe(1)
    expect(await opened.formsWith(second.trackingNumber)).toBe(0)
  })

  test.each(ifCan('form-lost'))(
    'a form whose answer is lost is found, or the carrier is known not to tell; none is made twice',
    async behavior => {
      const request = requestOf([await bought(), await bought()])
      const [{ trackingNumber }] = request.labels as [PurchasedLabel]
      expect(await make(request, behavior)).toMatchObject({ kind: 'unknown' })
      await expect.poll(() => opened.formsWith(trackingNumber)).toBe(1)
      if (forms.lookup === null) {
        expect(await make(request)).toMatchObject({ kind: 'permanent' })
      } else {
        const found = await lookUp(request)
        expect(found).toMatchObject({ kind: 'made' })
        expect(found.kind === 'made' && isFile(found.files)).toBe(true)
      }
      expect(await opened.formsWith(trackingNumber)).toBe(1)
    },
  )

  test.each(forms.lookup === null ? [] : ['fine'])(
    'labels that were on no form are told of as that',
    async () => expect(await lookUp(requestOf([await bought()]))).toEqual({ kind: 'not_made' }),
  )

  test.each(ifCan('form-late'))(
    'a form that is being made is looked up until it is',
    async behavior => {
      const request = requestOf([await bought()])
      const pending = await make(request, behavior)
      expect(pending).toMatchObject({ kind: 'pending' })
      const made = await lookUp(request, pending.kind === 'pending' ? pending.ref : null)
      expect(made).toMatchObject({ kind: 'made' })
      expect(made.kind === 'made' && isFile(made.files)).toBe(true)
      expect(await opened.formsWith(request.labels[0]!.trackingNumber)).toBe(1)
    },
  )

  test.each(ifCan('form-refused'))(
    'a refused form has a reason and is not made',
    async behavior => {
      const request = requestOf([await bought()])
      expect(await make(request, behavior)).toMatchObject({
        kind: 'permanent',
        message: expect.stringMatching(/^[A-Z].{8,}/),
      })
      expect(await opened.formsWith(request.labels[0]!.trackingNumber)).toBe(0)
      expect(await make(request)).toMatchObject({ kind: 'made' })
    },
  )

  test.each(ifCan('away', ...(opened.wire ? (['busy'] as const) : [])))(
    'a form that was certainly not asked for (%s) may be asked for again',
    async behavior => {
      const request = requestOf([await bought()])
      expect(await make(request, behavior)).toMatchObject({ kind: 'retryable' })
      expect(await opened.formsWith(request.labels[0]!.trackingNumber)).toBe(0)
      expect(await make(request)).toMatchObject({ kind: 'made' })
    },
  )

  const offered = POSTAL_SERVICES.flatMap(({ uid }) => {
    const { signature = false, adult = false, saturday = false } = fine.options?.(uid) ?? {}
    return [
      ...(signature ? [{ serviceUid: uid, signature: 'signature' as const, saturday: false }] : []),
      ...(adult ? [{ serviceUid: uid, signature: 'adult' as const, saturday: false }] : []),
      ...(saturday ? [{ serviceUid: uid, signature: 'none' as const, saturday: true }] : []),
    ]
  })

  test.each(opened.optionsOf ? offered : [])(
    'what is offered is asked for: $serviceUid, signature $signature, Saturday $saturday',
    async ({ serviceUid, signature, saturday }) => {
      const { attempt } = await bought({ serviceUid, signature, saturday })
      expect(opened.optionsOf!(attempt)).toEqual({ signature, saturday })
    },
  )

  test.each(opened.optionsOf ? ['fine'] : [])(
    'no option is asked for that the seller did not choose, and none is offered for an unknown service',
    async () => {
      const { attempt } = await bought()
      expect(opened.optionsOf!(attempt)).toEqual({ signature: 'none', saturday: false })
      expect(Object.values(fine.options!('usps:PIGEON'))).toEqual([false, false, false])
    },
  )

  test.each(opened.moveParcel ? ['fine'] : [])(
    'the history of a parcel is in order, ends with its status, and is the same each time',
    async () => {
      const label = await bought()
      const before = await callTrack(fine, label, CALL_TIMEOUT_MS)
      expect(['unknown', 'pre_transit']).toContain(before?.status)
      opened.moveParcel!(label.trackingNumber, 'delivered')
      const tracked = await callTrack(fine, label, CALL_TIMEOUT_MS)
      expect(tracked).toMatchObject({ status: 'delivered', at: expect.any(Date) })
      const times = (tracked!.events ?? []).map(({ at }) => at.getTime())
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      if (times.length > 0) expect(tracked!.at!.getTime()).toBe(times.at(-1))
      expect(JSON.stringify(tracked)).not.toContain('RIVERA')
      expect(await callTrack(fine, label, CALL_TIMEOUT_MS)).toEqual(tracked)
    },
  )

  test.each(fine.fetchLabel ? ['fine'] : [])(
    'a label is printed in all its formats, and is bought once',
    async () => {
      const label = await bought()
      for (const format of fine.labelFormats)
        expect(await callFetchLabel(fine, label, format, CALL_TIMEOUT_MS)).toMatchObject({
          kind: 'label',
          label: { mime: LABEL_MIME[format] },
        })
      expect(await opened.soldFor(label.attempt)).toMatchObject([{ isVoided: false }])
    },
  )

  test.runIf(hasContract(opened))('every request is as the carrier publishes it', () =>
    expect(requestFaults(opened)).toEqual([]),
  )
})

const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'
