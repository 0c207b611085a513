/** SCAN forms of each adapter: the question as published, and what each answer and its loss mean. */
import { afterAll, describe, expect, test } from 'vitest'
import { createAttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import type { AttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { ADDRESS } from '#tests/support/carriers/buyer.ts'
import { openStubServer } from '#tests/support/carriers/stub-server.ts'
import type { StubReply, StubRequest } from '#tests/support/carriers/stub-server.ts'
import { labelFile } from '#tests/support/carriers/stub-server.ts'
import { USPS_ACCOUNT, USPS_KEYS } from '#tests/support/carriers/usps-stub.ts'
import { testDatabase } from '#tests/support/database.ts'
import { loadPublishedContract } from '#tests/support/published-contracts.ts'
import { callLookUpScanForm, callMakeScanForm } from './calls.ts'
import { easypostCarrier } from './easypost/adapter.ts'
import type { Carrier, ScanFormRequest, ScanForms } from './port.ts'
import { shipengineCarrier } from './shipengine/adapter.ts'
import { uspsCarrier } from './usps/adapter.ts'

const TIMEOUT_MS = 10_000
const database = await testDatabase()
const instance = () => Promise.resolve('unit')

type Answer = (request: StubRequest) => StubReply | 'lost'

/** What the carrier answers, by 'POST /v2/scan_forms'; the newest rule wins. */
const answers = new Map<string, Answer>()
const asked: StubRequest[] = []
const stub = await openStubServer(request => {
  const what = `${request.method} ${request.path}`
  const answer = answers.get(what)
  const reply = answer?.(request) ?? { status: 404, body: {} }
  return reply === 'lost'
    ? { kind: 'void', reply: () => ({ status: 200 }) }
    : {
        reply: () => {
          asked.push(request)
          return reply
        },
      }
})
afterAll(stub.close)
const url = stub.urlOn('fine')
const lostUrl = stub.urlOn('void-lost')

const FORM = labelFile('FORM')
const sender = { ...ADDRESS, zip: '97701-1234' }
const NUMBERS = ['9205590000000000000001', '9205590000000000000002']

/** A request with labels whose ids at the carrier are noted. */
async function request(
  notes: AttemptNotes,
  prefix: string,
  many = NUMBERS.length,
): Promise<ScanFormRequest> {
  const labels = Array.from({ length: many }, (_, at) => ({
    attempt: { reference: `${prefix}${at + 1}`, round: 1 },
    trackingNumber: NUMBERS[at] ?? `92055${String(at).padStart(17, '0')}`,
  }))
  for (const [at, { attempt }] of labels.entries()) await notes.write(attempt, `${prefix}${at + 1}`)
  return { name: 'f-1', sender, day: '2026-11-23', labels }
}
const make = (forms: ScanForms, given: ScanFormRequest) =>
  callMakeScanForm(forms, given, TIMEOUT_MS)
const lookUp = (forms: ScanForms, given: ScanFormRequest, ref: string | null = null) =>
  callLookUpScanForm(forms, given, ref, TIMEOUT_MS)
const lastAsked = (path: string): StubRequest =>
  asked.findLast(one => `${one.method} ${one.path}` === path)!

describe('EasyPost', async () => {
  const notes = createAttemptNotes(database, ['easypost:unit'])
  const formsAt = (at: string): ScanForms => {
    const carrier: Carrier = easypostCarrier({ apiKey: 'EZAKunit', url: at, instance, notes })
    return carrier.scanForms!
  }
  const forms = formsAt(url)
  const given = await request(notes, 'shp_a')
  const form = (more: object = {}) => ({
    id: 'sf_1',
    object: 'ScanForm',
    created_at: '2024-07-30T16:11:59Z',
    updated_at: '2024-07-30T16:11:59Z',
    tracking_codes: NUMBERS,
    address: null,
    status: 'created',
    message: null,
    form_url: `${url}/files/form.pdf`,
    form_file_type: null,
    batch_id: 'batch_1',
    confirmation: null,
    ...more,
  })
  const say = (what: string, reply: StubReply) => answers.set(what, () => reply)
  say('GET /files/form.pdf', { status: 200, type: 'application/pdf', bytes: FORM })

  test('a form is asked for by the shipments, and its file is fetched', async () => {
    say('POST /v2/scan_forms', { status: 200, body: form() })
    expect(await make(forms, given)).toMatchObject({ kind: 'made', ref: 'sf_1', files: [FORM] })
    expect(lastAsked('POST /v2/scan_forms').body).toEqual({
      scan_form: { shipments: [{ id: 'shp_a1' }, { id: 'shp_a2' }] },
    })
  })

  test('a form that is being made is read until it is made; a failed one tells why', async () => {
    say('POST /v2/scan_forms', { status: 200, body: form({ status: 'creating', form_url: null }) })
    expect(await make(forms, given)).toEqual({ kind: 'pending', ref: 'sf_1' })
    say('GET /v2/scan_forms/sf_1', { status: 200, body: form() })
    expect(await lookUp(forms, given, 'sf_1')).toMatchObject({ kind: 'made', ref: 'sf_1' })
    const message = 'Shipments must have the same origin'
    say('GET /v2/scan_forms/sf_1', { status: 200, body: form({ status: 'failed', message }) })
    expect(await lookUp(forms, given, 'sf_1')).toMatchObject({ kind: 'permanent', message })
  })

  test('after a lost answer the shipment tells of its form', async () => {
    answers.set('POST /v2/scan_forms', () => 'lost')
    expect(await make(formsAt(lostUrl), given)).toMatchObject({ kind: 'unknown' })
    say('GET /v2/shipments/shp_a1', { status: 200, body: { id: 'shp_a1', scan_form: null } })
    expect(await lookUp(forms, given)).toEqual({ kind: 'not_made' })
    say('GET /v2/shipments/shp_a1', { status: 200, body: { id: 'shp_a1', scan_form: form() } })
    say('GET /v2/scan_forms/sf_1', { status: 200, body: form() })
    expect(await lookUp(forms, given)).toMatchObject({ kind: 'made', ref: 'sf_1' })
    const other = form({ tracking_codes: [NUMBERS[0]] })
    say('GET /v2/scan_forms/sf_1', { status: 200, body: other })
    expect(await lookUp(forms, given)).toMatchObject({ kind: 'permanent', code: 'ON_ANOTHER_FORM' })
  })

  test('a refusal, a busy carrier and a file that is not there yet', async () => {
    const error = { code: 'SCAN_FORM.INVALID', message: 'Already on a form', errors: [] }
    say('POST /v2/scan_forms', { status: 422, body: { error } })
    expect(await make(forms, given)).toMatchObject({
      kind: 'permanent',
      message: 'Already on a form',
    })
    say('POST /v2/scan_forms', {
      status: 429,
      body: { error: { ...error, code: 'RATE_LIMITED' } },
      headers: { 'retry-after': '3' },
    })
    expect(await make(forms, given)).toMatchObject({ kind: 'retryable', retryAfterMs: 3_000 })
    say('POST /v2/scan_forms', { status: 200, body: form({ form_url: 'https://evil.example/x' }) })
    expect(await make(forms, given)).toEqual({ kind: 'made', ref: 'sf_1', files: 'not_yet' })
  })
})

describe('ShipEngine', async () => {
  const notes = createAttemptNotes(database, ['shipengine:unit'])
  const formsAt = (at: string): ScanForms => {
    const options = { apiKey: 'TEST_unit', carrierId: 'se-123890', url: at, instance, notes }
    return shipengineCarrier(options).scanForms!
  }
  const forms = formsAt(url)
  const given = await request(notes, 'se-')
  const problemOf = (code: string, message: string) => ({
    error_source: 'shipengine',
    error_type: 'business_rules',
    error_code: code,
    message,
  })
  const manifest = (labels = ['se-1', 'se-2'], id = 'se-9') => ({
    manifest_id: id,
    form_id: id,
    created_at: '2026-11-22T16:39:34.503Z',
    ship_date: '2026-11-22T00:00:00Z',
    shipments: labels.length,
    label_ids: labels,
    warehouse_id: 'se-w',
    submission_id: '9475711201080308027034',
    carrier_id: 'se-123890',
    manifest_download: { href: `${url}/v1/downloads/${id}.pdf` },
  })
  const say = (what: string, body: object, status = 200) =>
    answers.set(what, () => ({ status, body }))
  const listed = (manifests: object[]) =>
    say('GET /v1/manifests', {
      manifests,
      total: manifests.length,
      page: 1,
      pages: 1,
      links: {},
    })
  for (const id of ['se-9', 'se-10'])
    answers.set(`GET /v1/downloads/${id}.pdf`, () => ({
      status: 200,
      type: 'application/pdf',
      bytes: FORM,
    }))
  const contract = loadPublishedContract('shipengine/openapi.yaml')

  test('a manifest is asked for by label ids; several manifests are one form with several files', async () => {
    say('POST /v1/manifests', { manifests: [manifest()] })
    expect(await make(forms, given)).toMatchObject({ kind: 'made', ref: 'se-9', files: [FORM] })
    const sent = lastAsked('POST /v1/manifests')
    expect(sent.body).toEqual({ label_ids: ['se-1', 'se-2'] })
    say('POST /v1/manifests', { manifests: [manifest(['se-1']), manifest(['se-2'], 'se-10')] })
    expect(await make(forms, given)).toMatchObject({ ref: 'se-9 se-10', files: [FORM, FORM] })
  })

  test.runIf(contract)('the questions are as published', async () => {
    say('POST /v1/manifests', { manifests: [manifest()] })
    listed([manifest()])
    await make(forms, given)
    await lookUp(forms, given)
    for (const path of ['POST /v1/manifests', 'GET /v1/manifests'])
      expect(contract!.requestErrors(lastAsked(path))).toEqual([])
  })

  test('a request that is under way is read until its manifests are there', async () => {
    const manifestRequest = { manifest_request_id: 'se-77', status: 'in_progress' }
    say('POST /v1/manifests', { manifest_requests: [manifestRequest] })
    expect(await make(forms, given)).toEqual({ kind: 'pending', ref: 'se-77' })
    say('GET /v1/manifests/requests/se-77', { manifest_requests: [manifestRequest] })
    expect(await lookUp(forms, given, 'se-77')).toEqual({ kind: 'pending', ref: 'se-77' })
    say('GET /v1/manifests/requests/se-77', { manifests: [manifest()] })
    expect(await lookUp(forms, given, 'se-77')).toMatchObject({ kind: 'made', ref: 'se-9' })
  })

  test('after a lost answer the list of manifests tells', async () => {
    answers.set('POST /v1/manifests', () => 'lost')
    expect(await make(formsAt(lostUrl), given)).toMatchObject({ kind: 'unknown' })
    listed([manifest(['se-5'])])
    expect(await lookUp(forms, given)).toEqual({ kind: 'not_made' })
    expect(lastAsked('GET /v1/manifests').query.getAll('label_ids')).toEqual(['se-1', 'se-2'])
    listed([manifest(['se-5']), manifest(['se-1', 'se-2'], 'se-10')])
    expect(await lookUp(forms, given)).toMatchObject({ kind: 'made', ref: 'se-10' })
    listed([manifest(['se-1'])])
    expect(await lookUp(forms, given)).toMatchObject({ kind: 'unknown', code: 'PARTLY_MADE' })
  })

  test('a form of many labels that became several manifests is found whole', async () => {
    const many = await request(notes, 'se-m', 45)
    const ids = many.labels.map((_, at) => `se-m${at + 1}`)
    const all = [manifest(ids.slice(0, 30), 'se-9'), manifest(ids.slice(30), 'se-10')]
    answers.set('GET /v1/manifests', ({ query }) => {
      const asked = new Set(query.getAll('label_ids'))
      expect(asked.size).toBeLessThanOrEqual(20)
      const manifests = all.filter(one => one.label_ids.some(id => asked.has(id)))
      return { status: 200, body: { manifests } }
    })
    expect(await lookUp(forms, many)).toMatchObject({ kind: 'made', ref: 'se-9 se-10' })
    all.pop()
    expect(await lookUp(forms, many)).toMatchObject({ kind: 'unknown', code: 'PARTLY_MADE' })
    all.pop()
    expect(await lookUp(forms, many)).toEqual({ kind: 'not_made' })
  })

  test('labels that cannot be read leave nothing asked for, and what was read is kept', async () => {
    const labels = ['1', '2'].map(at => ({
      attempt: { reference: `unread${at}`, round: 1 },
      trackingNumber: `920559000000000000000${at}`,
    }))
    const unread = { ...given, labels }
    const placeOf = (at: number) => `GET /v1/labels/external_shipment_id/evp-unit-unread${at}-1`
    const label = (at: number) =>
      say(placeOf(at), {
        label_id: `se-u${at}`,
        status: 'completed',
        tracking_number: labels[at - 1]!.trackingNumber,
      })
    const timesAsked = (what: string) =>
      asked.filter(one => `${one.method} ${one.path}` === what).length
    say('POST /v1/manifests', { manifests: [manifest(['se-u1', 'se-u2'])] })
    const before = timesAsked('POST /v1/manifests')
    label(1)
    const refused = await make(forms, unread)
    expect(refused).toMatchObject({ kind: 'retryable', code: 'LABELS_NOT_READ' })
    expect(timesAsked('POST /v1/manifests')).toBe(before)
    label(2)
    expect(await make(forms, unread)).toMatchObject({ kind: 'made', ref: 'se-9' })
    expect([timesAsked(placeOf(1)), timesAsked(placeOf(2))]).toEqual([1, 2])
  })

  test('a refusal names its reason, and at most 500 labels go on a form', async () => {
    const message = 'Label se-1 is on a manifest already'
    const problem = problemOf('unspecified', message)
    say('POST /v1/manifests', { request_id: 'x', errors: [problem] }, 400)
    expect(await make(forms, given)).toMatchObject({ kind: 'permanent', message })
    expect(forms.maxLabels).toBe(500)
  })

  test('a refusal in an answer of success names its reason, at once or when the form is looked up', async () => {
    const message = 'Label se-1 was voided'
    const problem = problemOf('invalid_status', message)
    const refusal = { manifests: [], manifest_requests: [], request_id: 'x', errors: [problem] }
    say('POST /v1/manifests', refusal)
    expect(await make(forms, given)).toMatchObject({ kind: 'permanent', message })
    const ended = { manifest_request_id: 'se-77', status: 'completed' }
    say('GET /v1/manifests/requests/se-77', { ...refusal, manifest_requests: [ended] })
    listed([])
    expect(await lookUp(forms, given, 'se-77')).toMatchObject({ kind: 'permanent', message })
    listed([manifest()])
    expect(await lookUp(forms, given, 'se-77')).toMatchObject({ kind: 'made', ref: 'se-9' })
    say('POST /v1/manifests', { ...refusal, errors: [{ ...problem, error_type: 'system' }] })
    expect(await make(forms, given)).toMatchObject({ kind: 'unknown' })
  })
})

describe('USPS', async () => {
  const notes = createAttemptNotes(database, ['usps:unit'])
  const formsAt = (at: string): ScanForms =>
    uspsCarrier({ ...USPS_KEYS, url: at, account: USPS_ACCOUNT, instance, notes }).scanForms!
  const forms = formsAt(url)
  const given = await request(notes, 'u')
  const say = (reply: StubReply) => answers.set('POST /scan-forms/v3/scan-form', () => reply)
  answers.set('POST /oauth2/v3/token', () => ({
    status: 200,
    body: { access_token: 'access-of-unit', token_type: 'Bearer', expires_in: '28799' },
  }))
  answers.set('POST /payments/v3/payment-authorization', () => ({
    status: 200,
    body: { paymentAuthorizationToken: 'payment-of-unit' },
  }))

  test('a form is asked for by tracking numbers and comes with its file', async () => {
    const body = {
      manifestNumber: '9475038234567000031430',
      SCANFormImage: FORM.toString('base64'),
    }
    say({ status: 200, body })
    expect(await make(forms, given)).toMatchObject({
      kind: 'made',
      ref: '9475038234567000031430',
      files: [FORM],
    })
    const sent = lastAsked('POST /scan-forms/v3/scan-form')
    expect(sent.headers.accept).toBe('application/vnd.usps.labels+json')
    expect(sent.body).toEqual({
      imageInfo: { imageType: 'PDF', labelType: '8.5X11LABEL' },
      mailingDate: '2026-11-23',
      overwriteMailingDate: true,
      entryFacilityZIPCode: '97701',
      destinationEntryFacilityType: 'NONE',
      shipment: { trackingNumbers: NUMBERS },
      fromAddress: {
        firstName: 'ANA',
        lastName: 'REYES',
        streetAddress: '1 MAIN ST',
        city: 'BEND',
        state: 'OR',
        ZIPCode: '97701',
        ZIPPlus4: '1234',
      },
    })
  })

  test('a form without its file is made, and no call reads it again', async () => {
    say({ status: 200, body: { manifestNumber: '9475038234567000031430' } })
    expect(await make(forms, given)).toMatchObject({ kind: 'made', files: 'gone' })
    expect(forms.lookup).toBeNull()
  })

  test('a lost answer leaves it open; a refusal and a full quota do not', async () => {
    answers.set('POST /scan-forms/v3/scan-form', () => 'lost')
    expect(await make(formsAt(lostUrl), given)).toMatchObject({ kind: 'unknown' })
    const detail = 'Labels have already been manifested'
    const error = {
      code: '400',
      message: 'Bad Request',
      errors: [{ title: 'Bad Request', detail }],
    }
    say({ status: 400, body: { error } })
    expect(await make(forms, given)).toMatchObject({ kind: 'permanent', message: detail })
    say({ status: 429, body: { error }, headers: { 'retry-after': '7' } })
    expect(await make(forms, given)).toMatchObject({ kind: 'retryable', retryAfterMs: 7_000 })
    expect(await make(formsAt(stub.urlOn('away')), given)).toMatchObject({ kind: 'retryable' })
  })

  test('10,000 labels are one form', async () => {
    say({ status: 200, body: { manifestNumber: '1' } })
    const labels = Array.from({ length: 10_000 }, (_, at) => ({
      attempt: { reference: `many${at}`, round: 1 },
      trackingNumber: `92055${String(at).padStart(17, '0')}`,
    }))
    expect(await make(forms, { ...given, labels })).toMatchObject({ kind: 'made' })
    const { shipment } = lastAsked('POST /scan-forms/v3/scan-form').body as {
      shipment: { trackingNumbers: string[] }
    }
    expect(shipment.trackingNumbers).toHaveLength(10_000)
    expect(forms.maxLabels).toBe(40_000)
  })
})
