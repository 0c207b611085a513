import { sql } from 'kysely'
import { assert, beforeEach, expect, test, vi } from 'vitest'
import { listOrders } from '#contract/orders.ts'
import {
  createScanForms,
  downloadScanForm,
  listScanForms,
  scanFormCandidates,
} from '#contract/scan-forms.ts'
import type { ScanForm } from '#contract/scan-forms.ts'
import { injectOptionsFor, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { bulkOrdersOf } from '#tests/support/bulk-orders.ts'
import { voidAndWait } from '#tests/support/patient-calls.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { row } from '#tests/support/rows.ts'
import { lookUpAllScanForms } from './service.ts'

/** What the carrier account was called with its former key. */
const FORMER_NAME = 'sandbox:former'
const app = await testApp({ env: { CARRIER_SAME_ACCOUNT: FORMER_NAME } })
const { seller, bought } = bulkOrdersOf(app)
const { carrier } = app

beforeEach(() => {
  carrier.losesResponses = false
  carrier.tellsScanForms = true
  carrier.maxScanFormLabels = null
})

const DEPOT = {
  FromSenderName: 'Mason Depot',
  FromStreet1: '7 Fore St',
  FromCity: 'Portland',
  FromStateProvince: 'ME',
  FromZipPostal: '04101',
}
const PRIORITY = 'USPS Priority Mail'

/** A seller with three labels of one sender, of two services, and `depot` of another. */
async function sellerWithLabels(depot = 0): Promise<{ ana: TestUser; batchId: string }> {
  const ana = await seller()
  const batchId = await bought(ana, [
    row(1),
    row(2),
    row(3, { ServiceName: PRIORITY }),
    ...Array.from({ length: depot }, (_, at) => row(10 + at, DEPOT)),
  ])
  return { ana, batchId }
}

const params = ({ user }: TestUser) => ({ userId: user._id })
const candidates = async (of: TestUser, day?: string) =>
  (await app.call(scanFormCandidates, { params: params(of), query: { day } }, of.token)).body
const make = (of: TestUser, body: { orderIds?: string[]; batchId?: string; day?: string }) =>
  app.call(createScanForms, { params: params(of), body }, of.token)
const list = async (of: TestUser) =>
  (await app.call(listScanForms, { params: params(of), query: {} }, of.token)).body.scanForms
const orders = async (of: TestUser) =>
  (await app.call(listOrders, { params: params(of), query: {} }, of.token)).body.orders
/** `vi.waitFor` alone gives up after a second. */
const BUSY_MACHINE = { timeout: 300_000 }
const settled = (of: TestUser, id: string): Promise<ScanForm> =>
  vi.waitFor(async () => {
    const form = (await list(of)).find(one => one.id === id)!
    assert(form.state !== 'asked')
    return form
  }, BUSY_MACHINE)
/** Forms that wait are due at once. */
const makeDue = () =>
  app.database.tx(tx =>
    sql`update scan_form set run_after = now() where state = 'asked'`.execute(tx),
  )

test('labels of two senders become two forms, and leave the list of candidates', async () => {
  const { ana, batchId } = await sellerWithLabels(1)
  const before = await candidates(ana)
  expect(before.day).toBe(before.today)
  expect(
    before.groups.map(({ sender, services }) => [
      sender.name,
      services.map(({ name, labels, ids }) => [name, labels, ids.length]),
    ]),
  ).toEqual([
    [
      'Mason Trading',
      [
        ['USPS Ground Advantage', 2, 2],
        [PRIORITY, 1, 1],
      ],
    ],
    ['Mason Depot', [['USPS Ground Advantage', 1, 1]]],
  ])
  for (const { services, ids } of before.groups)
    expect(services.flatMap(service => service.ids).toSorted()).toEqual(ids.toSorted())
  const { status, body } = await make(ana, { batchId })
  expect(status).toBe(200)
  expect(body.scanForms.map(({ state, labels, sender }) => [state, labels, sender.name])).toEqual([
    ['made', 3, 'Mason Trading'],
    ['made', 1, 'Mason Depot'],
  ])
  expect((await candidates(ana)).groups).toEqual([])
  expect(await list(ana)).toEqual(body.scanForms.toReversed())
  const onForms = (await orders(ana)).map(({ scanForm }) => scanForm)
  expect(onForms).toContainEqual({ id: body.scanForms[1]!.id, state: 'made' })
  expect(onForms.filter(one => one?.id === body.scanForms[0]!.id)).toHaveLength(3)
  const again = await make(ana, { batchId })
  expect([again.status, again.body.message]).toEqual([
    409,
    'This bulk order has no label that can be put on a SCAN form: they are on one, scanned, voided or not bought.',
  ])
})

test('as many labels of each sender are described as are asked for', async () => {
  const { ana } = await sellerWithLabels(1)
  const { groups } = (
    await app.call(scanFormCandidates, { params: params(ana), query: { labels: 2 } }, ana.token)
  ).body
  expect(groups.map(({ ids, labels }) => [ids.length, labels.length])).toEqual([
    [3, 2],
    [1, 1],
  ])
  const { ids, labels } = groups[0]!
  expect(labels.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  const found = (await orders(ana)).find(({ _id }) => _id === ids[0])!
  expect(labels[0]).toEqual({
    id: ids[0],
    trackingNumber: found.tracking_number,
    service: found.service_name,
    receiver: found.receiver.receiver_name,
    city: found.receiver.receiver_city,
    state: found.receiver.receiver_state_province,
  })
  expect((await candidates(ana)).groups.map(group => group.labels)).toEqual([[], []])
})

test('labels of the largest service are described before others that were bought first', async () => {
  const ana = await seller()
  await bought(ana, [row(1, { ServiceName: PRIORITY }), row(2), row(3)])
  const { groups } = (
    await app.call(scanFormCandidates, { params: params(ana), query: { labels: 2 } }, ana.token)
  ).body
  expect(groups[0]!.labels.map(({ id }) => id)).toEqual(groups[0]!.services[0]!.ids)
})

test('a label can be on one form only, also when it is asked for twice at once', async () => {
  const { ana } = await sellerWithLabels()
  const { ids } = (await candidates(ana)).groups[0]!
  const both = await Promise.all([
    make(ana, { orderIds: ids }),
    make(ana, { orderIds: [...ids].reverse() }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const refused = both.find(({ status }) => status === 409)!.body as unknown as {
    code: string
    message: string
  }
  expect(refused.code).toBe('label_on_scan_form')
  expect(refused.message).toContain(`#${ids[0]}`)
  expect(await list(ana)).toHaveLength(1)
})

test('a bulk order that is asked for many times at once gets its forms once, and no request is stuck', async () => {
  const { ana, batchId } = await sellerWithLabels()
  const all = await Promise.all(Array.from({ length: 10 }, () => make(ana, { batchId })))
  expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  expect(await list(ana)).toHaveLength(1)
})

test('labels that were bought before and after a key was renewed share one form', async () => {
  const { ana, batchId } = await sellerWithLabels()
  await app.database.pool.query(
    'update shipment_order set carrier_account = $1 where batch_id = $2 and row_no = 1',
    [FORMER_NAME, Number(batchId)],
  )
  const { body, status } = await make(ana, { batchId })
  expect(status, body.message).toBe(200)
  expect(body.scanForms).toMatchObject([{ labels: 3 }])
})

test('labels of more senders than one request takes are refused with the figure', async () => {
  const ana = await seller()
  const senders = Array.from({ length: 41 }, (_, at) =>
    row(1 + at, { FromStreet1: `${at + 1} Fore St` }),
  )
  const batchId = await bought(ana, senders)
  const refused = await make(ana, { batchId })
  expect([refused.status, refused.body.message]).toEqual([
    422,
    'These labels would need 41 SCAN forms, because each sender address has its own. '
      + 'At most 40 are made at a time: choose labels of fewer senders.',
  ])
  expect((await candidates(ana)).groups).toHaveLength(41)
})

test('the specimen says SAMPLE, has the counts and no barcode; a stranger cannot open it', async () => {
  const { ana, batchId } = await sellerWithLabels()
  const [form] = (await make(ana, { batchId })).body.scanForms
  expect(form!.files).toEqual([`/api/orders/file/scan-form/${form!.id}`])
  const request = injectOptionsFor(downloadScanForm, { params: { scanFormId: form!.id } })
  const file = await app.send({ ...request, headers: { token: ana.token } })
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'application/pdf'])
  const [page, ...others] = await readPdf(file.rawPayload)
  expect(others).toEqual([])
  expect(page!.text).toContain('SAMPLE SCAN form')
  expect(page!.text).toMatch(/USPS Ground Advantage\s+2/)
  expect(page!.text).toMatch(/Total\s+3/)
  expect(page!.text).toMatch(/Mailing date [A-Z][a-z]{2} \d{1,2}, 20\d\d/)
  expect(await page!.barcode()).toBeNull()
  const bob = await seller()
  const guessed = await app.send({ ...request, headers: { token: bob.token } })
  expect([guessed.statusCode, guessed.json().code]).toEqual([404, 'scan_form_unknown'])
})

test('a form whose answer is lost is found at the carrier, and is not made twice', async () => {
  const { ana, batchId } = await sellerWithLabels()
  carrier.losesResponses = true
  const { status, body } = await make(ana, { batchId })
  const [form] = body.scanForms
  carrier.losesResponses = false
  expect([200, 202]).toContain(status)
  await makeDue()
  expect(await settled(ana, form!.id)).toMatchObject({ state: 'made', labels: 3 })
  const sold = await app.database.db.selectFrom('sandbox_scan_form').selectAll().execute()
  const numbers = new Set((await orders(ana)).map(one => one.tracking_number))
  expect(sold.filter(one => one.tracking_numbers.some(text => numbers.has(text)))).toHaveLength(1)
})

test('where the carrier never tells, the labels may be on a form and stay on it', async () => {
  const { ana, batchId } = await sellerWithLabels()
  carrier.losesResponses = true
  carrier.tellsScanForms = false
  const { status, body } = await make(ana, { batchId })
  expect(status).toBe(200)
  expect(body.scanForms[0]).toMatchObject({
    state: 'unknown',
    files: [],
    message:
      'The carrier did not confirm whether it made this form. Have each of its parcels scanned on its own.',
  })
  expect((await orders(ana)).map(({ scanForm }) => scanForm?.state)).toEqual([
    'unknown',
    'unknown',
    'unknown',
  ])
  expect((await candidates(ana)).groups).toEqual([])
})

test('a process that died during the call has made the form, and its successor finds it', async () => {
  const { ana, batchId } = await sellerWithLabels()
  const release = carrier.hold('scanForm')
  const asking = make(ana, { batchId })
  await vi.waitFor(async () => assert((await list(ana))[0]?.state === 'asked'), BUSY_MACHINE)
  const [form] = await list(ana)
  // Another process takes the form over while this one waits for its answer.
  await vi.waitFor(async () => {
    const { rows } = await sql<{ attempt: number }>`
      select attempt from scan_form where id = ${form!.id}`.execute(app.database.db)
    assert(rows[0]!.attempt > 0)
  }, BUSY_MACHINE)
  await makeDue()
  release()
  await asking
  expect(await settled(ana, form!.id)).toMatchObject({ state: 'made' })
})

test('a refused form frees its labels and tells why', async () => {
  const { ana } = await sellerWithLabels()
  const { ids } = (await candidates(ana)).groups[0]!
  const voided = (await orders(ana)).find(({ _id }) => _id === ids[1])!.tracking_number!
  await app.database.tx(tx =>
    sql`update sandbox_purchase set voided_at = now() where tracking_number = ${voided}`.execute(
      tx,
    ),
  )
  const refused = await make(ana, { orderIds: ids })
  expect([refused.status, refused.body.message]).toEqual([
    422,
    `The carrier refused the SCAN form: Label ${voided} is unknown, voided or on another form`,
  ])
  expect((await list(ana))[0]).toMatchObject({ state: 'failed', files: [] })
  const others = ids.filter(id => id !== ids[1])
  expect((await make(ana, { orderIds: others })).body.scanForms[0]).toMatchObject({
    state: 'made',
    labels: 2,
  })
  // The sandbox's books are as before.
  await app.database.tx(tx =>
    sql`update sandbox_purchase set voided_at = null where tracking_number = ${voided}`.execute(tx),
  )
})

test('a label that is voided before the call leaves the form, afterwards it is counted', async () => {
  const { ana } = await sellerWithLabels()
  const [first, ...rest] = (await candidates(ana)).groups[0]!.ids
  expect(await voidAndWait(app, first!, ana.token)).toBe(200)
  const wrong = await make(ana, { orderIds: [first!, ...rest] })
  expect([wrong.status, wrong.body.message]).toEqual([
    409,
    `Some of these orders have no valid label: #${first}. Leave them out and try again.`,
  ])
  const [form] = (await make(ana, { orderIds: rest })).body.scanForms
  expect(form).toMatchObject({ labels: 2, voided: 0 })
  expect(await voidAndWait(app, rest[0]!, ana.token)).toBe(200)
  expect((await list(ana))[0]).toMatchObject({ state: 'made', labels: 2, voided: 1 })
})

test('a carrier that takes fewer labels on a form gets more forms', async () => {
  const { ana, batchId } = await sellerWithLabels()
  carrier.maxScanFormLabels = 2
  const { body } = await make(ana, { batchId })
  expect(body.scanForms.map(({ labels, state }) => [labels, state])).toEqual([
    [2, 'made'],
    [1, 'made'],
  ])
})

test('wrong requests are refused with the field, and change nothing', async () => {
  const { ana, batchId } = await sellerWithLabels()
  const { ids } = (await candidates(ana)).groups[0]!
  const { today } = await candidates(ana)
  const past = await make(ana, { orderIds: ids, day: '2020-01-01' })
  expect([past.status, past.body.message]).toEqual([
    422,
    expect.stringContaining(`The mailing day 2020-01-01 must be from ${today} to `),
  ])
  expect((await make(ana, { orderIds: ids, batchId })).status).toBe(422)
  expect((await make(ana, {})).status).toBe(422)
  const bob = await seller()
  expect((await make(bob, { orderIds: ids })).status).toBe(404)
  expect((await make(bob, { batchId })).status).toBe(404)
  expect(await list(ana)).toEqual([])
  expect((await candidates(ana, '2020-01-01')).groups).toEqual([])
})

test('after a restored backup an open form is looked up before it is made', async () => {
  const { ana, batchId } = await sellerWithLabels()
  const release = carrier.hold('scanForm')
  const begun = carrier.begun.scanForm
  const asking = make(ana, { batchId })
  await vi.waitFor(async () => assert(carrier.begun.scanForm > begun), BUSY_MACHINE)
  expect(await app.database.tx(tx => lookUpAllScanForms(tx))).toBeGreaterThan(0)
  release()
  await asking
  const [form] = await list(ana)
  expect(await settled(ana, form!.id)).toMatchObject({ state: 'made', labels: 3 })
})
