import { readXlsx } from 'hucre/xlsx'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { createKey } from '#contract/api-keys.ts'
import { initBatch, processBatch } from '#contract/batches.ts'
import type { CustomerOrderFilter } from '#contract/orders.ts'
import { exportOrders, listOrders } from '#contract/orders.ts'
import { XLSX_TYPE } from '#contract/table-files.ts'
import type { TableFormat } from '#contract/table-files.ts'
import { injectOptionsFor, testApp } from '#tests/support/app.ts'
import { rows } from '#tests/support/rows.ts'

// No worker: what the file contains does not depend on it.
const app = await testApp({ env: { ROLE: 'web' } })
const ana = await app.register('Ana')
const stranger = await app.register('Stranger')
await app.creditDollars(ana.user._id, 50_000)
const params = { userId: ana.user._id }

/** More than two chunks. */
const LABELS = 1_100
const { orderId } = (await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)).body
const orderData = rows(LABELS, () => ({ FromSenderName: '=Mason & Co' }))
await app.call(processBatch, { params, body: { orderId, orderData } }, ana.token)

const download = (query: CustomerOrderFilter & { format?: TableFormat } = {}, { token } = ana) =>
  app.send({ ...injectOptionsFor(exportOrders, { params, query }), headers: { token } })
const linesOf = (text: string): Record<string, string>[] =>
  Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: true,
  }).data

test('all orders are in the file, newest first, with the row of the list', async () => {
  const answer = await download()
  expect(answer.headers['content-disposition']).toMatch(
    /^attachment; filename="evenpost-orders-\d{4}-\d\d-\d\d\.csv"$/,
  )
  const lines = linesOf(answer.body)
  expect(lines).toHaveLength(LABELS)
  const { orders } = (await app.call(listOrders, { params, query: { limit: 1 } }, ana.token)).body
  expect(lines[0]).toMatchObject({
    Label: orders[0]!._id,
    Status: 'Pending',
    Price: '6.50',
    'Bulk order': orderId,
    Row: String(LABELS),
    Receiver: orders[0]!.receiver.receiver_name,
    'Weight (lb)': String(orders[0]!.package.package_weight),
    // No spreadsheet takes the name for a formula.
    Sender: "'=Mason & Co",
    // Not bought yet.
    'Tracking page': '',
  })
})

test.each<[string, CustomerOrderFilter]>([
  ['a search', { search: 'mason' }],
  ['a name', { search: orderData[7]!.ToRecipientName }],
  ['a status', { status: 'pending' }],
  ['a status without orders', { status: 'completed' }],
  ['a bulk order', { batchId: orderId }],
  ['dates', { from: '2020-01-01T00:00:00.000Z', to: '2020-01-02T00:00:00.000Z' }],
  ['a service', { service: 'usps:PRIORITY_MAIL' }],
])('with %s the file has the orders of the list', async (_, filter) => {
  const { orders } = (await app.call(listOrders, { params, query: filter }, ana.token)).body
  const lines = linesOf((await download(filter)).body)
  expect(lines.map(({ Label }) => Label)).toEqual(orders.map(({ _id }) => _id))
})

test('the workbook has the same cells, amounts as numbers', async () => {
  const answer = await download({ format: 'xlsx', search: orderData[7]!.ToRecipientName })
  expect(answer.headers['content-type']).toBe(XLSX_TYPE)
  const { sheets } = await readXlsx(answer.rawPayload)
  const [head, first] = sheets[0]!.rows
  expect(first![head!.indexOf('Price')]).toBe(6.5)
  expect(first![head!.indexOf('Sender')]).toBe('=Mason & Co')
})

test('a label that a program ordered names its key', async () => {
  const by = stranger.user._id
  await app.creditDollars(by, 20)
  const key = await app.call(
    createKey,
    { params: { userId: by }, body: { name: 'Shop plug-in', scopes: ['labels:buy'] } },
    stranger.token,
  )
  for (const token of [key.body.key, stranger.token]) {
    const { body } = await app.call(initBatch, { body: { userId: by } }, token)
    const input = { orderId: body.orderId, orderData: rows(1) }
    await app.call(processBatch, { params: { userId: by }, body: input }, token)
  }
  const answer = await app.send({
    ...injectOptionsFor(exportOrders, { params: { userId: by } }),
    headers: { token: stranger.token },
  })
  expect(linesOf(answer.body).map(line => line['API key'])).toEqual(['', 'Shop plug-in'])
})

test('another user does not get the file', async () => {
  expect((await download({}, stranger)).statusCode).toBe(403)
})
