import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { batchFailures } from '#contract/batch-failures.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { rows } from '#tests/support/rows.ts'

const app = await testApp()
const failuresOf = (orderId: string, by: TestUser) =>
  app.call(batchFailures, { params: { orderId } }, by.token)

test('the failed labels of a bulk order are named by reason, and their money is in the balance', async () => {
  const lea = await app.register()
  await app.creditDollars(lea.user._id, 100)
  const { orderId } = (await app.call(initBatch, { body: { userId: lea.user._id } }, lea.token))
    .body
  const orderData = rows(7, n => ({ ToStreet2: [1, 6].includes(n) ? '' : 'SANDBOX REFUSE' }))
  await app.call(
    processBatch,
    { params: { userId: lea.user._id }, body: { orderId, orderData } },
    lea.token,
  )
  await expect
    .poll(
      async () =>
        isTerminal((await app.call(batchStatus, { params: { orderId } }, lea.token)).body.status),
      { interval: 50 },
    )
    .toBe(true)

  // The sandbox has one reason; other carriers have more, or none.
  const reasonOf = (row: number, reason: string | null) =>
    sql`update shipment_order set reason = ${reason} where batch_id = ${orderId} and row_no = ${row}`.execute(
      app.database.db,
    )
  await reasonOf(2, 'ZIP code not found')
  await reasonOf(4, null)
  await reasonOf(7, 'Street not found')
  const { body } = await failuresOf(orderId, lea)
  expect(body).toEqual({
    reasons: [
      { reason: 'Address not deliverable', count: 2 },
      { reason: 'ZIP code not found', count: 1 },
      { reason: 'The carrier refused this label', count: 1 },
    ],
    otherCount: 1,
    editableCount: 5,
    released: 32.5,
    checkingCount: 0,
    held: 0,
  })
  const { balance } = (await app.call(verifySession, {}, lea.token)).body.user
  expect(balance).toBe(100 - 2 * 6.5)

  const max = await app.register()
  expect((await failuresOf(orderId, max)).status).toBe(404)
})
