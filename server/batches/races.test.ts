import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import {
  batchStatus,
  listFailedRows,
  initBatch,
  listBatches,
  processBatch,
  rebuildBatchFiles,
  retryFailedLabels,
} from '#contract/batches.ts'
import type { BulkRow } from '#contract/rows.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { rows } from '#tests/support/rows.ts'

const PRICE = 6.5
const app = await testApp()

async function seller(): Promise<TestUser> {
  const visitor = await app.register()
  await app.creditDollars(visitor.user._id, 50_000)
  return visitor
}
const init = async (by: TestUser) =>
  (await app.call(initBatch, { body: { userId: by.user._id } }, by.token)).body.orderId
const submit = (by: TestUser, orderId: string, orderData: unknown[], replaces?: string[]) =>
  app.call(
    processBatch,
    {
      params: { userId: by.user._id },
      body: { orderId, orderData, ...(replaces && { replaces }) },
    },
    by.token,
  )
const status = async (by: TestUser, orderId: string) =>
  (await app.call(batchStatus, { params: { orderId } }, by.token)).body
const retry = (by: TestUser, orderId: string) =>
  app.call(retryFailedLabels, { params: { orderId } }, by.token)
const spent = async (by: TestUser) =>
  (await app.call(verifySession, {}, by.token)).body.user.totalSpent

async function finished(by: TestUser, orderId: string) {
  await expect
    .poll(async () => isTerminal((await status(by, orderId)).status), { interval: 50 })
    .toBe(true)
  return status(by, orderId)
}
async function bought(by: TestUser, orderData: unknown[]) {
  const orderId = await init(by)
  expect((await submit(by, orderId, orderData)).status).toBe(202)
  return finished(by, orderId)
}
/** A bulk order whose first `failed` rows are refused once, and the corrected rows. */
async function halfFailed(by: TestUser, count: number, failed: number) {
  const { orderId } = await bought(
    by,
    rows(count, n => (n <= failed ? { ToStreet2: 'SANDBOX REFUSE ONCE' } : {})),
  )
  const { body } = await app.call(listFailedRows, { params: { orderId } }, by.token)
  const mended: BulkRow[] = body.rows.map(row => ({ ...row.data, ToStreet2: '' }) as BulkRow)
  return { orderId, mended, replaces: body.rows.map(row => row.orderId) }
}

test.each([1, 2, 3, 4])(
  'failed rows retried and submitted again at the same moment are bought once (run %i)',
  async () => {
    const ana = await seller()
    const { orderId, mended, replaces } = await halfFailed(ana, 6, 3)
    const again = await init(ana)
    const [retried, edited] = await Promise.all([
      retry(ana, orderId),
      submit(ana, again, mended, replaces),
    ])
    expect([retried.status, edited.status].toSorted()).toEqual(
      retried.status === 200 ? [200, 409] : [202, 409],
    )
    if (edited.status === 202) await finished(ana, again)
    await finished(ana, orderId)
    expect(await spent(ana)).toBe(6 * PRICE)
    expect(await findDiscrepancies(app.database)).toEqual([])
  },
)

test('the same failed rows submitted again from two windows are bought once', async () => {
  const ben = await seller()
  const { mended, replaces } = await halfFailed(ben, 5, 4)
  const ids = [await init(ben), await init(ben)]
  const answers = await Promise.all(ids.map(id => submit(ben, id, mended, replaces)))
  expect(answers.map(answer => answer.status).toSorted()).toEqual([202, 409])
  await finished(ben, ids[answers.findIndex(answer => answer.status === 202)]!)
  expect(await spent(ben)).toBe(5 * PRICE)
  // The second window may buy its rows as a bulk order of their own; its id stays valid.
  expect(
    (await submit(ben, ids[answers.findIndex(answer => answer.status === 409)]!, rows(1))).status,
  ).toBe(202)
})

test('rows of another customer, bought rows and unknown ids cannot be replaced', async () => {
  const [cara, dan] = [await seller(), await seller()]
  const { replaces } = await halfFailed(cara, 2, 1)
  const id = await init(dan)
  expect((await submit(dan, id, rows(1), replaces)).status).toBe(409)
  expect((await submit(dan, id, rows(1), ['999999999999999999'])).status).toBe(409)
  expect((await submit(dan, id, rows(1), [replaces[0]!, replaces[0]!])).status).toBe(409)
  expect(
    (await app.call(listBatches, { params: { userId: dan.user._id }, query: {} }, dan.token)).body,
  ).toEqual([])
  expect(await spent(dan)).toBe(0)
})

test('two thousand rows with every fault, retried to the end: purchases, charges and results agree', async () => {
  const commands = [
    '',
    'SANDBOX LOST',
    '',
    'SANDBOX BUSY',
    '',
    'SANDBOX REFUSE ONCE',
    '',
    'SANDBOX LATE',
    '',
    'SANDBOX REFUSE',
  ]
  const eve = await seller()
  const first = await bought(
    eve,
    rows(2_000, n => ({ ToStreet2: commands[n % 10]! })),
  )
  expect(first).toMatchObject({
    status: 'completed_with_errors',
    processedCount: 2_000,
    failedCount: 400,
  })
  expect(first.failedLabels.map(label => label.row)).toEqual(
    rows(2_000)
      .map((_, i) => i + 1)
      .filter(n => n % 10 === 5 || n % 10 === 9),
  )
  await Promise.all([1, 2, 3].map(() => retry(eve, first.orderId)))
  expect(await finished(eve, first.orderId)).toMatchObject({
    processedCount: 2_000,
    failedCount: 200,
  })
  expect(await spent(eve)).toBe(1_800 * PRICE)
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('files of a bulk order are not created again while its rows are being bought', async () => {
  const fay = await seller()
  const id = await init(fay)
  const slow = rows(1, () => ({ ToStreet2: 'SANDBOX SLOW' }))
  expect((await submit(fay, id, slow)).status).toBe(202)
  const { token } = await app.admin()
  const rebuilt = await app.call(rebuildBatchFiles, { params: { batchId: id } }, token)
  expect(rebuilt).toMatchObject({ status: 409, body: { code: 'batch_processing' } })
  await finished(fay, id)
})
