import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { listFailedRows, retryFailedLabels } from '#contract/batches.ts'
import { defaultServices } from '#contract/catalogue.ts'
import { statement } from '#contract/ledger.ts'
import { quotePrice } from '#contract/orders.ts'
import { priceTotals, setOptionPrices } from '#contract/price-options.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { bulkOrdersOf } from '#tests/support/bulk-orders.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { row } from '#tests/support/rows.ts'

const app = await testApp()
const admin = await app.admin()
const { seller, submit, bought, finished, labelsOf, init } = bulkOrdersOf(app)

const GROUND = 'usps:GROUND_ADVANTAGE'
const sell = async (signature: number | null, saturday: number | null) => {
  const services = await app.call(defaultServices, {}, admin.token)
  const { _id: id } = services.body.find(({ uid }) => uid === GROUND)!
  const prices = { signature, adult: signature && signature * 2, saturday }
  await app.call(setOptionPrices, { params: { id }, body: { prices } }, admin.token)
}
const balance = async (of: TestUser) =>
  (await app.call(verifySession, {}, of.token)).body.user.balance
const download = (by: TestUser, path: string) =>
  app.send({ url: path, headers: { token: by.token } })
const storedOptions = async (batchId: string) =>
  (
    await app.database.pool.query(
      'select row_no, price_cents, options_cents, signature, saturday from shipment_order where batch_id = $1 order by row_no',
      [batchId],
    )
  ).rows

test('rows with a signature and Saturday delivery are bought, charged, printed and in the result file', async () => {
  await sell(3.7, 16)
  const ana = await seller(100)
  const batchId = await bought(
    ana,
    [
      row(1),
      { ...row(2), signature: 'yes' },
      { ...row(3), signature: 'ADULT', saturday: 'x' },
      { ...row(4), signature: 'no', saturday: true },
    ],
    { maxCost: 26 + 3.7 + 23.4 + 16 },
  )
  expect(await storedOptions(batchId)).toEqual([
    { row_no: 1, price_cents: 650, options_cents: 0, signature: 'none', saturday: false },
    { row_no: 2, price_cents: 1020, options_cents: 370, signature: 'signature', saturday: false },
    { row_no: 3, price_cents: 2990, options_cents: 2340, signature: 'adult', saturday: true },
    { row_no: 4, price_cents: 2250, options_cents: 1600, signature: 'none', saturday: true },
  ])
  expect(await balance(ana)).toBe(30.9)
  const { body } = await app.call(statement, { params: { userId: ana.user._id } }, ana.token)
  expect(body.entries.filter(({ kind }) => kind === 'hold')).toMatchObject([
    { amount: -69.1, batchId },
  ])

  const pages = await readPdf(
    (await download(ana, `/api/orders/download/pdf/${batchId}`)).rawPayload,
  )
  expect(pages.map(({ text }) => text.includes('SIGNATURE'))).toEqual([false, true, true, false])
  expect(pages.map(({ text }) => text.includes('SATURDAY'))).toEqual([false, false, true, true])
  expect(pages[2]!.text).toContain('ADULT SIGNATURE')

  const result = (await download(ana, `/api/orders/download/result-csv/${batchId}`)).body
  const lines = Papa.parse<Record<string, string>>(result.trim(), { header: true }).data
  expect(lines.map(({ price, signature, saturday }) => [price, signature, saturday])).toEqual([
    ['6.50', '', ''],
    ['10.20', 'signature', ''],
    ['29.90', 'adult', 'yes'],
    ['22.50', '', 'yes'],
  ])
})

test('a row with an option that its service does not have is named, and nothing is bought or held', async () => {
  await sell(3.7, null)
  const ben = await seller(100)
  const { status, body } = await submit(ben, [
    row(1),
    { ...row(2), saturday: 'yes' },
    { ...row(3), signature: 'maybe' },
  ])
  expect({ status, code: body.code, codes: body.codes, errors: body.errors }).toEqual({
    status: 422,
    code: 'rows_invalid',
    codes: { '2.saturday': 'option_not_offered', '3.signature': 'not_a_choice' },
    errors: {
      '2.saturday': 'Saturday delivery is not for sale with USPS Ground Advantage',
      '3.signature':
        "Signature 'maybe' is not yes, adult or no; type one of these, or leave it empty",
    },
  })
  expect(await balance(ben)).toBe(100)
  expect(await labelsOf(ben)).toEqual([])
})

test('the price that is shown with options is the price that is paid, or nothing is bought', async () => {
  await sell(3.7, 16)
  const cara = await seller(100)
  const asked = { ...row(1), signature: 'signature', saturday: 'yes' }
  const shipment = (options: object) => ({
    service_name: asked.ServiceName,
    package: { package_weight: asked.PackageWeight },
    ...options,
  })
  const { body: shown } = await app.call(
    quotePrice,
    {
      body: {
        userId: cara.user._id,
        shipments: [shipment({}), shipment({ signature: 'signature', saturday: true })],
        each: true,
      },
    },
    cara.token,
  )
  expect(shown).toEqual({ totalPrice: 32.7, prices: [{ price: 6.5 }, { price: 26.2 }] })
  await sell(4, 16)
  expect(await submit(cara, [asked], { maxCost: 26.2 })).toMatchObject({
    status: 422,
    body: { code: 'price_changed' },
  })
  expect(await balance(cara)).toBe(100)
  await sell(3.7, 16)
  await bought(cara, [asked], { maxCost: 26.2 })
  expect(await balance(cara)).toBe(73.8)
})

test('the total of each service contains the options, and says why a service does not take them', async () => {
  await sell(3.7, null)
  const dora = await seller()
  const parcel = { weight: 1, fromZip: '78701', toZip: '04101' }
  const totals = async (options: object) =>
    (
      await app.call(
        priceTotals,
        {
          params: { userId: dora.user._id },
          body: { parcels: [parcel, { ...parcel, ...options }] },
        },
        dora.token,
      )
    ).body.services.find(({ uid }) => uid === GROUND)!
  expect(await totals({ signature: 'signature' })).toMatchObject({ total: 16.7, labels: 2 })
  expect(await totals({ saturday: true })).toMatchObject({
    total: 6.5,
    labels: 1,
    reason: {
      code: 'option_not_offered',
      text: 'Saturday delivery is not for sale with USPS Ground Advantage',
    },
  })
})

test('a retry and the file of failed rows keep the options at the price of the order', async () => {
  await sell(3.7, 16)
  const ed = await seller(100)
  const refused = {
    ...row(1, { ToStreet2: 'SANDBOX REFUSE ONCE' }),
    signature: 'yes',
    saturday: 'yes',
  }
  const batchId = await bought(ed, [refused])
  expect(await balance(ed)).toBe(100)
  const { body: failed } = await app.call(
    listFailedRows,
    { params: { orderId: batchId } },
    ed.token,
  )
  expect(failed.rows[0]!.data).toMatchObject({ signature: 'signature', saturday: 'yes' })
  const csv = (await download(ed, `/api/orders/bulk/failed-rows/${batchId}/file`)).body
  const [line] = Papa.parse<Record<string, string>>(csv.trim(), { header: true }).data
  expect(line).toMatchObject({ SIGNATURE: 'signature', 'SATURDAY DELIVERY': 'yes' })

  // A later price is that of later orders.
  await sell(9, 16)
  await app.call(retryFailedLabels, { params: { orderId: batchId } }, ed.token)
  await finished(ed, batchId)
  expect(await labelsOf(ed)).toMatchObject([
    { signature: 'signature', saturday: true, price: 26.2 },
  ])
  expect(await balance(ed)).toBe(73.8)
})

test('the same rows under one id are bought once; other options are other rows', async () => {
  await sell(3.7, 16)
  const finn = await seller(100)
  const orderId = await init(finn)
  const rows = [{ ...row(1), signature: 'yes' }]
  await bought(finn, rows, { orderId })
  expect((await submit(finn, [{ ...row(1), signature: true }], { orderId })).status).toBe(202)
  expect(await submit(finn, [row(1)], { orderId })).toMatchObject({
    status: 409,
    body: { code: 'batch_submitted' },
  })
  expect(await labelsOf(finn)).toHaveLength(1)
})
