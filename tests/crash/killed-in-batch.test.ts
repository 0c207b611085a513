/**
 * The process is killed while it buys. After a restart every label exists, was sold once, was paid
 * once, and nothing is held.
 */
import { afterAll, expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { sandboxPurchases } from '#contract/carriers.ts'
import { invariants } from '#contract/ledger.ts'
import { listOrders } from '#contract/orders.ts'
import { openPdf } from '#tests/support/read-pdf.ts'
import { rows } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'

const ROWS = 500
const PRICE = 6.5

const data = await createDataFolder()
afterAll(() => data.forget())

test('killed twice in the middle of 500 labels: all bought once, all paid once, the books balance', async () => {
  // The carrier stops responding before the order is done, so every kill comes half-way. Some responses are lost, too.
  const env = (silentAfterPurchases: number) => ({
    SANDBOX_CARRIER_LATENCY_MS: '150',
    SANDBOX_CARRIER_FAULTS: JSON.stringify({ silentAfterPurchases }),
  })
  let app = await startServer(data.path, env(150))
  const ana = await app.register('Ana')
  await app.pay(ana, 5_000)
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
  const orderData = rows(ROWS, n => (n % 50 === 0 ? { ToStreet2: 'SANDBOX LOST' } : {}))
  const sent = await app.call(
    processBatch,
    { params: { userId: ana.user._id }, body: { orderId, orderData } },
    ana.token,
  )
  expect(sent.status).toBe(202)

  const progress = async () =>
    (await app.call(batchStatus, { params: { orderId } }, ana.token)).body
  for (const least of [1, 200]) {
    await expect
      .poll(async () => (await progress()).processedCount, { interval: 10 })
      .toBeGreaterThanOrEqual(least)
    expect((await progress()).processedCount).toBeLessThan(ROWS)
    await app.stop('SIGKILL')
    app = await startServer(data.path, env(least === 1 ? 250 : ROWS))
  }

  await expect.poll(async () => isTerminal((await progress()).status), { interval: 200 }).toBe(true)
  expect(await progress()).toMatchObject({
    status: 'completed',
    processedCount: ROWS,
    failedCount: 0,
  })

  const admin = await app.admin()
  const {
    body: { purchases },
  } = await app.call(sandboxPurchases, { query: {} }, admin.token)
  const {
    body: { orders },
  } = await app.call(listOrders, { params: { userId: ana.user._id }, query: {} }, ana.token)
  expect(purchases).toHaveLength(ROWS)
  expect(new Set(purchases.map(label => label.trackingNumber))).toEqual(
    new Set(orders.map(order => order.tracking_number)),
  )
  expect((await app.call(verifySession, {}, ana.token)).body.user.balance).toBe(
    5_000 - ROWS * PRICE,
  )
  expect((await app.call(invariants, {}, admin.token)).body).toEqual({
    ok: true,
    violations: [],
  })

  const pdf = await app.file(`/api/orders/download/pdf/${orderId}`, ana.token)
  expect((await openPdf(pdf.bytes)).count).toBe(ROWS)
  await app.stop('SIGTERM')
})
