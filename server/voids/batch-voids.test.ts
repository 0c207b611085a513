import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UnknownRow } from 'kysely'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { listOrders } from '#contract/orders.ts'
import type { BulkRow } from '#contract/rows.ts'
import { rebuildFiles } from '#server/batches/files.ts'
import { resetBatchesAfterRestore } from '#server/batches/service.ts'
import { openPurchasing } from '#server/purchasing/open.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { retryAndWait, voidAndWait, voidManyAndWait } from '#tests/support/patient-calls.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { rows } from '#tests/support/rows.ts'
import { sendUntilReady } from '#tests/support/send-until-ready.ts'
import { voidBatchLabels } from './batch-voids.ts'
import { countVoidStatuses } from './store.ts'

const PRICE = 6.5
const app = await testApp()
const admin = await app.admin()
const ctx = openPurchasing(app.ctx, app.carrier.wrap)

async function seller(): Promise<TestUser> {
  const visitor = await app.register()
  await app.creditDollars(visitor.user._id, 1_000)
  return visitor
}
async function submit(by: TestUser, orderData: BulkRow[]): Promise<string> {
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: by.user._id } }, by.token)
  const { status, body } = await app.call(
    processBatch,
    { params: { userId: by.user._id }, body: { orderId, orderData } },
    by.token,
  )
  expect(status, body.message).toBe(202)
  return orderId
}
const progress = async (by: TestUser, orderId: string) =>
  (await app.call(batchStatus, { params: { orderId } }, by.token)).body
async function finished(by: TestUser, orderId: string) {
  await expect
    .poll(async () => isTerminal((await progress(by, orderId)).status), { interval: 50 })
    .toBe(true)
  return progress(by, orderId)
}
async function bought(by: TestUser, orderData: BulkRow[]): Promise<string> {
  const orderId = await submit(by, orderData)
  await finished(by, orderId)
  return orderId
}
/** In the order of rows. */
async function labels(by: TestUser, batchId: string): Promise<string[]> {
  const {
    body: { orders },
  } = await app.call(listOrders, { params: { userId: by.user._id }, query: {} }, by.token)
  return orders
    .filter(order => order.batch_id === batchId)
    .toSorted((a, b) => a.row! - b.row!)
    .map(order => order._id)
}
const voiding = (by: TestUser, orderId: string) => voidAndWait(app, orderId, by.token)
const fileNow = (by: TestUser, kind: string, orderId: string) =>
  app.send({ url: `/api/orders/download/${kind}/${orderId}`, headers: { token: by.token } })
const file = (by: TestUser, kind: string, orderId: string) =>
  sendUntilReady(() => fileNow(by, kind, orderId))
async function pages(by: TestUser, orderId: string): Promise<number[]> {
  const { statusCode, rawPayload } = await file(by, 'pdf', orderId)
  expect(statusCode).toBe(200)
  return (await readPdf(rawPayload)).map(page => Number(/RECEIVER (\d+)/.exec(page.text)?.[1]))
}
const results = async (by: TestUser, orderId: string) =>
  (await file(by, 'result-csv', orderId)).body
    .trim()
    .split('\r\n')
    .slice(1)
    .map(line => line.split(','))
    .map(cells => [cells[3], cells[5], cells[6]].join(' ').trim())
const money = async (of: TestUser) => {
  const { balance, totalSpent } = (await app.call(verifySession, {}, of.token)).body.user
  return { balance, totalSpent }
}
const stored = async (orderId: string) =>
  app.database.db
    .selectFrom('batch')
    .selectAll()
    .where('id', '=', Number(orderId))
    .executeTakeFirstOrThrow()

test('a label voided after its bulk order finished is in no file from then on; counts and status stay', async () => {
  const ana = await seller()
  const commands = ['', '', 'SANDBOX REFUSE ONCE', 'SANDBOX NOVOID', '']
  const orderId = await bought(
    ana,
    rows(5, n => ({
      ToStreet2: commands[n - 1]!,
      orderId: `111-4820448-000000${n}`,
      orderItemId: `00${n}`,
    })),
  )
  const before = await progress(ana, orderId)
  expect(before).toMatchObject({
    status: 'completed_with_errors',
    processedCount: 5,
    failedCount: 1,
  })
  const ids = await labels(ana, orderId)
  expect(await voiding(ana, ids[1]!)).toBe(200)
  expect(await voiding(ana, ids[3]!)).toBe(422)

  // Downloads do not wait for stored files: they use the rows as they are.
  const [pdf, csv, confirm] = await Promise.all([
    pages(ana, orderId),
    results(ana, orderId),
    file(ana, 'auto-csv', orderId),
  ])
  expect(pdf).toEqual([1, 4, 5])
  const good = 'completed 6.50'
  expect(csv).toEqual([good, 'cancelled  Voided', 'cancelled  Address not deliverable', good, good])
  expect(
    confirm.body
      .split('\r\n')
      .slice(1, -1)
      .map(line => line.split('\t')[0]!.at(-1)),
  ).toEqual(['1', '4', '5'])
  const { updatedAt: _, voidedCount, finalCost, ...counts } = await progress(ana, orderId)
  expect(before).toMatchObject({ ...counts, voidedCount: 0, finalCost: 4 * PRICE })
  expect([voidedCount, finalCost]).toEqual([1, 3 * PRICE])
  expect(await money(ana)).toEqual({ balance: 1_000 - 3 * PRICE, totalSpent: 3 * PRICE })

  expect((await retryAndWait(app, orderId, ana.token)).body).toMatchObject({
    status: 'completed',
    finalProcessedCount: 5,
    finalFailedCount: 0,
    newlySuccessfulCount: 1,
  })
  expect(await pages(ana, orderId)).toEqual([1, 3, 4, 5])
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('a bulk order with only voided labels keeps its result and has no labels to print', async () => {
  const ben = await seller()
  const orderId = await bought(
    ben,
    rows(20, n => ({ orderId: `111-4820448-00000${10 + n}` })),
  )
  expect(await voidManyAndWait(app, await labels(ben, orderId), ben.token)).toMatchObject({
    voided: 20,
    requested: 0,
    refused: 0,
  })
  expect((await file(ben, 'pdf', orderId)).statusCode).toBe(404)
  const confirmation = await file(ben, 'auto-csv', orderId)
  expect([confirmation.statusCode, confirmation.json()]).toMatchObject([
    404,
    { message: 'This bulk order has no valid label with an order id to confirm' },
  ])
  expect(await results(ben, orderId)).toEqual(Array(20).fill('cancelled  Voided'))
  expect(await progress(ben, orderId)).toMatchObject({
    status: 'completed',
    processedCount: 20,
    failedCount: 0,
  })
  expect(await money(ben)).toEqual({ balance: 1_000, totalSpent: 0 })
})

test('voiding a whole bulk order says what became of its labels, and reads none of them whole', async () => {
  const gus = await seller()
  const orderId = await bought(
    gus,
    rows(3, n => (n === 3 ? { ToStreet2: 'SANDBOX NOVOID' } : {})),
  )
  const read: UnknownRow[] = []
  const db = ctx.database.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      read.push(...result.rows)
      return result
    },
  })
  const caller = {
    userId: Number(gus.user._id),
    role: 'user' as const,
    sessionId: 0,
    impersonatorId: null,
    key: null,
  }
  const watched = { ...ctx, database: { ...ctx.database, db } }
  const { requested, voided, refused } = await voidBatchLabels(watched, caller, Number(orderId))
  expect(requested + voided + refused).toBe(3)
  expect(read.length).toBeGreaterThan(0)
  expect(read.filter(row => 'receiver' in row)).toEqual([])
  const ids = (await labels(gus, orderId)).map(Number)
  await expect
    .poll(() => countVoidStatuses(app.database.db, ids))
    .toEqual({ requested: 0, voided: 2, refused: 1 })
})

test('a label can be voided while the rest of its bulk order is still bought', async () => {
  const cara = await seller()
  const release = app.carrier.hold('purchase', ({ receiver }) => receiver.street2 === 'held')
  const orderId = await submit(
    cara,
    rows(6, n => (n > 3 ? { ToStreet2: 'held' } : {})),
  )
  await expect.poll(async () => (await progress(cara, orderId)).processedCount).toBe(3)
  const [first] = await labels(cara, orderId)
  expect(await voiding(cara, first!)).toBe(200)
  expect((await progress(cara, orderId)).status).toBe('processing')
  expect((await file(cara, 'pdf', orderId)).statusCode).toBe(404)
  release()
  expect(await finished(cara, orderId)).toMatchObject({
    status: 'completed',
    processedCount: 6,
    failedCount: 0,
  })
  expect(await pages(cara, orderId)).toEqual([2, 3, 4, 5, 6])
  expect(await money(cara)).toEqual({ balance: 1_000 - 5 * PRICE, totalSpent: 5 * PRICE })
})

test.each([1, 2, 3])(
  'voids during a retry and the retry do not disturb each other (run %i)',
  async () => {
    const dan = await seller()
    const orderId = await bought(
      dan,
      rows(60, n => (n > 30 ? { ToStreet2: 'SANDBOX REFUSE ONCE' } : {})),
    )
    const ids = await labels(dan, orderId)
    const [retried, voided, ...downloads] = await Promise.all([
      retryAndWait(app, orderId, dan.token),
      voidManyAndWait(app, ids.slice(0, 10), dan.token),
      ...Array.from({ length: 5 }, () => fileNow(dan, 'pdf', orderId)),
    ])
    expect(retried.body).toMatchObject({
      status: 'completed',
      finalProcessedCount: 60,
      finalFailedCount: 0,
      newlySuccessfulCount: 30,
    })
    expect(voided).toMatchObject({ voided: 10, refused: 0 })
    // 503 while the files are written again and again, for each void.
    for (const download of downloads) expect([200, 404, 503]).toContain(download.statusCode)
    expect(await pages(dan, orderId)).toEqual(
      rows(60)
        .map((_, i) => i + 1)
        .slice(10),
    )
    expect(await money(dan)).toEqual({ balance: 1_000 - 50 * PRICE, totalSpent: 50 * PRICE })
    expect(await findDiscrepancies(app.database)).toEqual([])
  },
)

test('when files cannot be built, the operator sees why, no one gets old files, and an administrator can build them', async () => {
  const eve = await seller()
  const orderId = await bought(eve, rows(3))
  const ids = await labels(eve, orderId)
  // Files of earlier orders that are built again just now would be written to the folder while it is removed.
  const building = async () =>
    (
      await app.database.pool
        .query(`select from batch where files_stale or work_lease_until > clock_timestamp()
        or status in ('processing', 'generating_files', 'retrying_failed')`)
    ).rowCount
  await expect.poll(building).toBe(0)
  const folder = join(app.ctx.config.dataDir, 'files')
  await rm(folder, { recursive: true })
  await writeFile(folder, 'in the way')
  expect(await voiding(eve, ids[0]!)).toBe(200)
  expect(await money(eve)).toEqual({ balance: 1_000 - 2 * PRICE, totalSpent: 2 * PRICE }) // money does not wait for files
  const problem = async () => (await stored(orderId)).files_problem
  await expect.poll(problem).toMatch(/^The files could not be written \(E[A-Z]+\)$/)
  const { files_problem_at: since } = await stored(orderId)
  const refused = await fileNow(eve, 'pdf', orderId)
  expect([refused.statusCode, refused.json().message]).toEqual([
    503,
    'The files of this bulk order are being updated. Please try again in a moment.',
  ])
  await expect(rebuildFiles(ctx, Number(admin.user._id), Number(orderId))).rejects.toThrow(
    'The files could not be created: The files could',
  )
  expect((await stored(orderId)).files_problem_at).toEqual(since) // since the first time

  await rm(folder)
  await rebuildFiles(ctx, Number(admin.user._id), Number(orderId))
  expect(await stored(orderId)).toMatchObject({
    files_problem: null,
    files_problem_at: null,
    files_stale: false,
  })
  expect(await pages(eve, orderId)).toEqual([2, 3])
  const asked = await app.database.db
    .selectFrom('audit_entry')
    .selectAll()
    .where('action', '=', 'files-made-again')
    .execute()
  expect(asked.map(entry => [entry.actor_id, entry.subject_id, entry.detail])).toEqual(
    Array(2).fill([Number(admin.user._id), Number(eve.user._id), { batchId: Number(orderId) }]),
  )
})

test('after a restore files may be newer than the rows, so they are built again before the next download', async () => {
  const ana = await seller()
  const orderId = await bought(ana, rows(3))
  const { pdf_name: name } = await stored(orderId)
  await ctx.files.write(
    name!,
    async sink => void (await sink.write(Buffer.from('of a later time'))),
  )
  expect((await file(ana, 'pdf', orderId)).body).toBe('of a later time')
  await app.database.tx(resetBatchesAfterRestore)
  expect(await pages(ana, orderId)).toEqual([1, 2, 3])
})

test('files of an unfinished or unsubmitted bulk order cannot be built by an administrator', async () => {
  const finn = await seller()
  const release = app.carrier.hold('purchase')
  const orderId = await submit(finn, rows(2))
  await expect(rebuildFiles(ctx, Number(admin.user._id), Number(orderId))).rejects.toThrow(
    'still being processed',
  )
  await expect(rebuildFiles(ctx, Number(admin.user._id), 999_999)).rejects.toThrow(
    'There is no such bulk order',
  )
  release()
  await finished(finn, orderId)
})
