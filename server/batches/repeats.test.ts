import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { retryFailedLabels, seenRows } from '#contract/batches.ts'
import type { SubmittedFile } from '#contract/batches.ts'
import type { BulkRow } from '#contract/rows.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { bulkOrdersOf } from '#tests/support/bulk-orders.ts'
import { voidAndWait } from '#tests/support/patient-calls.ts'
import { rows } from '#tests/support/rows.ts'

const PRICE = 6.5
const app = await testApp()
const { submit, bought, seller, labelsOf, spent } = bulkOrdersOf(app)

const fileOf = (name: string): SubmittedFile => ({
  name,
  sha256: createHash('sha256').update(name).digest('hex'),
  source: 'template',
})
test('repeats that were allowed are counted: more of them are asked about again', async () => {
  const ivo = await seller()
  const orders = rows(3, n => ({ orderId: `100${n}`, orderItemId: `4${n}` }))
  await bought(ivo, orders.slice(0, 1), { file: fileOf('of yesterday.txt') })
  const file = fileOf('of today.txt')
  const send = (more: { allowRepeats?: boolean; repeats?: number }) =>
    submit(ivo, orders, { file, ...more })
  await bought(ivo, orders.slice(1), { file: fileOf('of a colleague.txt') })
  const refused = await send({ allowRepeats: true, repeats: 1 })
  expect([refused.status, refused.body.code, refused.body.message, refused.body.rowCount]).toEqual([
    409,
    'already_bought',
    '3 rows already have a label, 2 more than allowed. Leave them out, or allow repeats.',
    3,
  ])
  expect((await send({ allowRepeats: true, repeats: -1 })).status).toBe(400)
  expect((await send({ repeats: 3 })).status).toBe(409)
  expect((await send({ allowRepeats: true, repeats: 3 })).status).toBe(202)
  expect((await send({ allowRepeats: true })).status).toBe(202)
})

const refusing = (count: number, of: (n: number) => Partial<BulkRow>) =>
  rows(count, n => ({ ...of(n), ToStreet2: 'SANDBOX REFUSE' }))
const retry = (by: TestUser, orderId: string, allowRepeats?: '1') =>
  app.call(retryFailedLabels, { params: { orderId }, query: { allowRepeats } }, by.token)

/** Row numbers of failed rows of a bulk order that were bought since. */
async function boughtSince(by: TestUser, failedOf: string, of: Partial<BulkRow>[]) {
  const body = { failedOf, rows: of.map((ids, at) => ({ row: at + 1, ...ids })) }
  const answer = await app.call(seenRows, { params: { userId: by.user._id }, body }, by.token)
  expect(answer.status, answer.body.message).toBe(200)
  return answer.body.rows.map(({ row }) => row)
}

test('failed rows that were bought from their downloaded file are not bought again by a retry', async () => {
  const uma = await seller()
  const ids = (n: number) => ({ orderId: `#200${n}`, orderItemId: `#200${n}-1` })
  const old = await bought(uma, refusing(3, ids), { file: fileOf('orders of Monday.csv') })
  const corrected = rows(2, n => ({ orderId: `200${n}`, orderItemId: `200${n}-1` }))
  const since = await bought(uma, corrected, { file: fileOf('failed rows.csv') })
  const refused = await retry(uma, old)
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'already_bought',
    `2 of the failed rows were bought since, in bulk order ${since}: rows 1, 2. Edit the failed rows and leave them out.`,
  ])
  expect(refused.body).toMatchObject({ rowCount: 2, rows: [{ row: 1 }, { row: 2 }], file: null })
  // The failed rows that are opened to be edited are marked by the same rule.
  expect(await boughtSince(uma, old, [1, 2, 3].map(ids))).toEqual([1, 2])
  expect(await spent(uma)).toBe(2 * PRICE)
  expect((await retry(uma, old, '1')).status).toBe(200)
  for (const { _id, batch_id } of await labelsOf(uma))
    if (batch_id === since) expect(await voidAndWait(app, _id, uma.token)).toBe(200)
  expect((await retry(uma, old)).status).toBe(200)
})

test('a retry is not stopped by labels of before, by its own, by its edited rows, or without order ids', async () => {
  const vera = await seller()
  await bought(
    vera,
    rows(1, () => ({ orderId: '3001' })),
  )
  const orders = [
    ...refusing(3, n => ({ orderId: ['3001', '3002', ''][n - 1]! })),
    ...rows(1, () => ({ orderId: '3002' })),
    ...refusing(2, () => ({ orderId: '3003' })),
  ]
  const old = await bought(vera, orders)
  await bought(vera, rows(1))
  const failed = (await labelsOf(vera)).find(({ batch_id, row }) => batch_id === old && row === 5)
  const edited = rows(1, () => ({ orderId: '3003' }))
  await bought(vera, edited, { replaces: [failed!._id] })
  expect(await boughtSince(vera, old, [{ orderId: '3001' }, { orderId: '3002' }])).toEqual([])
  expect((await retry(vera, old)).status).toBe(200)
})

test('failed rows of another seller are not asked about', async () => {
  const [wim, xia] = [await seller(), await seller()]
  const old = await bought(wim, rows(1))
  const asked = { params: { userId: xia.user._id }, body: { failedOf: old, rows: [] } }
  expect((await app.call(seenRows, asked, xia.token)).status).toBe(404)
})
