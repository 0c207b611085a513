import { afterAll, expect, test } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch, retryFailedLabels } from '#contract/batches.ts'
import { rows } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'

const data = await createDataFolder()
afterAll(() => data.forget())

test('a server that stops while a retry waits answers it, stops cleanly, and continues at the next start', async () => {
  // Both the refusals and the sales take so long that the retry is under way when the server stops.
  const env = { SANDBOX_CARRIER_LATENCY_MS: '6000', CARRIER_TIMEOUT_MS: '12000' }
  let app = await startServer(data.path, env)
  const ana = await app.register('Ana')
  await app.pay(ana, 100)
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
  const orderData = rows(3, () => ({ ToStreet2: 'SANDBOX REFUSE ONCE' }))
  await app.call(
    processBatch,
    { params: { userId: ana.user._id }, body: { orderId, orderData } },
    ana.token,
  )
  const status = async () =>
    (await app.call(batchStatus, { params: { orderId } }, ana.token)).body.status
  await expect.poll(async () => isTerminal(await status())).toBe(true)

  const waiting = app.call(retryFailedLabels, { params: { orderId } }, ana.token)
  await expect.poll(status, { interval: 5 }).toBe('retrying_failed')
  await app.stop('SIGTERM')
  expect(app.child.exitCode).toBe(0)
  const answer = await waiting
  expect([answer.status, answer.body.status]).toEqual([200, 'retrying_failed'])

  app = await startServer(data.path)
  await expect.poll(status).toBe('completed')
  await app.stop('SIGTERM')
})
