import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { batchFailures } from '#contract/batch-failures.ts'
import { batchStatus, initBatch, processBatch, retryFailedLabels } from '#contract/batches.ts'
import { testApp } from '#tests/support/app.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { rows } from '#tests/support/rows.ts'

// Every response of the carrier is lost: only the carrier knows what it sold.
const app = await testApp()
app.carrier.losesResponses = true
const { config } = app.ctx

test('a bulk order ends after 15 minutes without its unknown labels, and includes them when they are found', async () => {
  const ana = await app.register()
  await app.creditDollars(ana.user._id, 100)
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
  await app.call(
    processBatch,
    { params: { userId: ana.user._id }, body: { orderId, orderData: rows(3) } },
    ana.token,
  )
  const status = async () => (await app.call(batchStatus, { params: { orderId } }, ana.token)).body
  const user = async () => (await app.call(verifySession, {}, ana.token)).body.user
  const waiting = async () =>
    (await sql`select 1 from batch where only_unknown_since is not null`.execute(app.database.db))
      .rows.length
  await expect.poll(waiting).toBe(1)
  expect(await status()).toMatchObject({ status: 'processing', processedCount: 0, failedCount: 0 })

  // 15 minutes pass.
  await sql`update batch set only_unknown_since = only_unknown_since - interval '16 minutes'`.execute(
    app.database.db,
  )
  await expect.poll(async () => (await status()).status).toBe('failed')
  const ended = await status()
  expect(ended).toMatchObject({ processedCount: 3, failedCount: 3 })
  expect(ended.failedLabels.map(label => [label.reason, label.retryable])).toEqual(
    Array(3).fill(['Being checked with the carrier', false]),
  )
  expect((await app.call(batchFailures, { params: { orderId } }, ana.token)).body).toEqual({
    reasons: [],
    otherCount: 0,
    editableCount: 0,
    released: 0,
    checkingCount: 3,
    held: 19.5,
  })
  expect((await app.call(retryFailedLabels, { params: { orderId } }, ana.token)).status).toBe(409)
  expect(await user()).toMatchObject({ balance: 80.5, totalSpent: 0 }) // held, not spent
  expect(
    (await app.send({ url: `/api/orders/download/pdf/${orderId}`, headers: { token: ana.token } }))
      .statusCode,
  ).toBe(404)

  // Look-ups without an answer leave the batch and its files alone.
  const looks = async () =>
    (await sql<{ n: number }>`select sum(fence) as n from shipment_order`.execute(app.database.db))
      .rows[0]!.n
  const before = Number(await looks())
  await expect.poll(async () => Number(await looks())).toBeGreaterThan(before)
  expect((await status()).updatedAt).toBe(ended.updatedAt)

  // The carrier answers again, but no file can be written for a while.
  const folder = join(config.dataDir, 'files')
  await rm(folder, { recursive: true })
  await writeFile(folder, 'in the way')
  app.carrier.losesResponses = false
  await sql`update shipment_order set run_after = now()`.execute(app.database.db)
  await expect.poll(async () => (await status()).status).toBe('completed')
  expect(await status()).toMatchObject({ processedCount: 3, failedCount: 0, failedLabels: [] })
  expect(await user()).toMatchObject({ balance: 80.5, totalSpent: 19.5 })
  const failed = async () =>
    (await sql`select 1 from batch where work_lease_until is not null`.execute(app.database.db))
      .rows.length
  await expect.poll(failed).toBe(1)
  await rm(folder)
  const pdf = () =>
    app.send({ url: `/api/orders/download/pdf/${orderId}`, headers: { token: ana.token } })
  await expect.poll(async () => (await pdf()).statusCode, { interval: 200 }).toBe(200)
  expect(await readPdf((await pdf()).rawPayload)).toHaveLength(3)
  expect(await findDiscrepancies(app.database)).toEqual([])
})
