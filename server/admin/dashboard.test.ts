import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setUserDetails } from '#contract/accounts.ts'
import { booksByMonth, getAdminDashboard } from '#contract/admin.ts'
import type { BooksMonth } from '#contract/admin.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { listBatchFileFailures, rebuildBatchFiles } from '#contract/batches.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import {
  checkInvoice,
  creditDeposit,
  listDepositsInReview,
  sandboxExpire,
  sandboxPay,
  sandboxPayLate,
  topUp,
} from '#contract/payments.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { noonOffset, backdateTransfers } from '#tests/support/backdate.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { placeAndWait, retryAndWait, voidAndWait } from '#tests/support/patient-calls.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'

// The sandbox's prices: Priority Mail is sold for $9.50 and costs $6.90, Ground Advantage is sold
// for $6.50 and costs $5.93.
const app = await testApp()
const admin = await app.admin()
const readFigures = async () =>
  (await app.call(getAdminDashboard, { query: { offset: noonOffset() } }, admin.token)).body
const today = async () => (await readFigures()).periods[0]!

const ana = await app.register('Ana Lopez')
const ben = await app.register('Ben Okafor')
const buy = async (by: TestUser, service_name: string, street2 = '') => {
  const receiver = { receiver_address2: street2 }
  const order = singleOrderBody(by.user._id, { service_name, receiver })
  return (await placeAndWait(app, order, by.token)).body.data?.orderId
}
const invoiceOf = async (of: TestUser) =>
  (await app.call(topUp, { params: { userId: of.user._id } }, of.token)).body.id

test('on the first day all figures are zero, without open tasks', async () => {
  const { periods, ...rest } = await readFigures()
  const zero = {
    labels: 0,
    failed: 0,
    voided: 0,
    revenue: 0,
    carrierCost: 0,
    margin: 0,
    failureRate: null,
    depositsSettled: 0,
    depositCount: 0,
    takenBack: 0,
    newUsers: 3,
  }
  expect(periods.map(({ from: _from, ...period }) => period)).toEqual(
    [1, 7, 30].map(days => ({ days, ...zero })),
  )
  const none = { count: 0, oldest: null }
  expect(rest).toEqual({
    liabilities: { available: 0, held: 0 },
    depositsPending: { count: 0, amount: 0 },
    carrierProblem: null,
    setup: [],
    work: {
      unknown: none,
      files: none,
      deposits: none,
      voids: none,
      mails: none,
      scans: none,
      disputes: none,
      losses: { ...none, refused: 0, lost: 0, newest: null },
      elsewhere: { ...none, accounts: [] },
    },
    users: 3,
  })
})

test('confirmed deposits count, unconfirmed ones are pending, late ones are in review', async () => {
  await app.call(
    sandboxPay,
    { params: { id: await invoiceOf(ana) }, body: { amount: 100 } },
    ana.token,
  )
  await app.call(
    sandboxPay,
    { params: { id: await invoiceOf(ben) }, body: { amount: 50.5 } },
    ben.token,
  )
  const unconfirmed = await invoiceOf(ana)
  await sql`insert into sandbox_payment (invoice_id, cents, late, settled) values (${unconfirmed}, 3000, false, false)`.execute(
    app.database.db,
  )
  await app.call(checkInvoice, { params: { id: unconfirmed } }, ana.token)
  const late = await invoiceOf(ben)
  await app.call(sandboxExpire, { params: { id: late } }, ben.token)
  await app.call(sandboxPayLate, { params: { id: late }, body: { amount: 20 } }, ben.token)

  const { depositsPending, liabilities, work, periods } = await readFigures()
  expect(depositsPending).toEqual({ count: 1, amount: 30 })
  expect(liabilities).toEqual({ available: 150.5, held: 0 })
  expect(work.deposits).toEqual({ count: 1, oldest: expect.any(String) })
  expect(periods[0]).toMatchObject({ depositsSettled: 150.5, depositCount: 2 })

  const [deposit] = (await app.call(listDepositsInReview, { query: {} }, admin.token)).body.deposits
  expect(deposit).toMatchObject({ userName: 'Ben Okafor', creditable: 20 })
  const clicks = await Promise.all(
    [1, 2, 3].map(() =>
      app.call(creditDeposit, { params: { id: deposit!.invoiceId } }, admin.token),
    ),
  )
  expect(clicks.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(await today()).toMatchObject({ depositsSettled: 170.5, depositCount: 3 })
  expect((await readFigures()).work.deposits).toEqual({ count: 0, oldest: null })
})

test('an adjustment is a liability, but neither a deposit nor revenue', async () => {
  const changed = { balance: 90, reason: 'Goodwill' }
  expect(
    (
      await app.call(
        setUserDetails,
        { params: { userId: ben.user._id }, body: changed },
        admin.token,
      )
    ).status,
  ).toBe(200)
  const { liabilities, periods } = await readFigures()
  expect(liabilities).toEqual({ available: 190, held: 0 })
  expect(periods[0]).toMatchObject({ depositsSettled: 170.5, revenue: 0 })
})

test('bought, refused, voided and retried labels count in the figures', async () => {
  await buy(ana, 'USPS Priority Mail')
  await buy(ana, 'USPS Priority Mail', 'SANDBOX REFUSE')
  const regretted = await buy(ana, 'USPS Ground Advantage')
  const failureRate = 1 / 3
  expect(await today()).toMatchObject({
    labels: 2,
    failed: 1,
    voided: 0,
    revenue: 16,
    carrierCost: 12.83,
    margin: 3.17,
    failureRate,
  })

  expect(await voidAndWait(app, regretted!, ana.token)).toBe(200)
  expect(await today()).toMatchObject({
    labels: 2,
    failed: 1,
    voided: 1,
    revenue: 9.5,
    carrierCost: 6.9,
    margin: 2.6,
    failureRate,
  })

  const userId = ben.user._id
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId } }, ben.token)
  const orderData = rows(3, n => ({ ToStreet2: n === 2 ? 'SANDBOX REFUSE ONCE' : '' }))
  await app.call(processBatch, { params: { userId }, body: { orderId, orderData } }, ben.token)
  await expect
    .poll(async () =>
      isTerminal((await app.call(batchStatus, { params: { orderId } }, ben.token)).body.status),
    )
    .toBe(true)
  expect(await today()).toMatchObject({
    labels: 4,
    failed: 2,
    revenue: 22.5,
    carrierCost: 18.76,
    margin: 3.74,
  })
  expect((await retryAndWait(app, orderId, ben.token)).status).toBe(200)
  expect(await today()).toMatchObject({
    labels: 5,
    failed: 2,
    voided: 1,
    revenue: 29,
    carrierCost: 24.69,
    margin: 4.31,
    failureRate: 2 / 7,
  })
  expect((await readFigures()).liabilities).toEqual({ available: 161, held: 0 }) // 190 less the revenue
  expect(await findDiscrepancies(app.database)).toEqual([])
})

test('events before a period do not count in it', async () => {
  const past = (days: number, owner: TestUser) =>
    backdateTransfers(
      app.database,
      sql`created_at - make_interval(days => ${days}::int)`,
      sql`owner_id = ${owner.user._id}`,
    )
  await past(3, ana)
  await past(20, ben)
  const { periods } = await readFigures()
  expect(
    periods.map(({ days, labels, revenue, depositsSettled }) => [
      days,
      labels,
      revenue,
      depositsSettled,
    ]),
  ).toEqual([
    [1, 0, 0, 0],
    [7, 2, 9.5, 100],
    [30, 5, 29, 170.5],
  ])
  expect(periods.map(({ failureRate }) => failureRate)).toEqual([null, 1 / 3, 2 / 7])
})

test('the months of the books go on where the one before ended, up to all balances of now', async () => {
  const { months } = (await app.call(booksByMonth, { query: {} }, admin.token)).body
  expect([months[0]!.closing, months.at(-1)!.opening]).toEqual([161, 0])
  expect(months.slice(1).map(({ closing }) => closing)).toEqual(
    months.slice(0, -1).map(({ opening }) => opening),
  )
  const sum = (of: (month: BooksMonth) => number) =>
    Math.round(months.reduce((total, month) => total + of(month), 0) * 100) / 100
  expect(sum(({ deposits }) => deposits)).toBe(170.5)
  expect(sum(({ adjusted }) => adjusted)).toBe(19.5)
  expect(sum(({ charged, refunded }) => charged - refunded)).toBe(29)
  expect([sum(({ labels }) => labels), sum(({ margin }) => margin)]).toEqual([5, 4.31])
})

test('a bulk order with failed files is an open task until they are rebuilt', async () => {
  const folder = join(app.ctx.config.dataDir, 'files')
  await rm(folder, { recursive: true, force: true })
  await writeFile(folder, 'in the way')
  const userId = ana.user._id
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId } }, ana.token)
  await app.call(
    processBatch,
    { params: { userId }, body: { orderId, orderData: rows(2) } },
    ana.token,
  )
  await expect.poll(async () => (await readFigures()).work.files.count).toBe(1)

  const { batches, totalCount } = (
    await app.call(listBatchFileFailures, { query: { limit: 5 } }, admin.token)
  ).body
  const { name, email } = ana.user
  const since = (await readFigures()).work.files.oldest
  expect(totalCount).toBe(1)
  expect(batches).toEqual([
    {
      batchId: orderId,
      user: { _id: userId, name, email },
      totalCount: 2,
      problem: expect.stringMatching(/^The files could not /),
      since,
    },
  ])
  // The next attempt is a few seconds away; the test does not wait for it.
  const due = () =>
    sql`update batch set work_lease_until = null where id = ${orderId}`.execute(app.database.db)
  await rm(folder)
  await due()
  const again = await app.call(rebuildBatchFiles, { params: { batchId: orderId } }, admin.token)
  expect(again.body).toEqual({ ok: true, message: `Rebuilt the files of bulk order ${orderId}` })
  expect((await readFigures()).work.files).toEqual({ count: 0, oldest: null })
  expect(
    (await app.call(batchStatus, { params: { orderId } }, ana.token)).body.fileData?.pdfName,
  ).toEqual(expect.any(String))
  expect(
    (await app.call(rebuildBatchFiles, { params: { batchId: '999999' } }, admin.token)).status,
  ).toBe(404)
})
