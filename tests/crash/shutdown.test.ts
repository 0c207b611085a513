import { afterAll, expect, test } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch, retryFailedLabels } from '#contract/batches.ts'
import { rows } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'

const data = await createDataFolder()
afterAll(() => data.forget())

test('a house that is closed while somebody waits for a retry answers him, ends in order, and goes on at the next start', async () => {
  // Both the refusals and the sales take so long that the retry is under way when the server stops.
  const env = { SANDBOX_CARRIER_LATENCY_MS: '6000', CARRIER_TIMEOUT_MS: '12000' }
  let house = await startServer(data.path, env)
  const ana = await house.register('Ana')
  await house.pay(ana, 100)
  const {
    body: { orderId },
  } = await house.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
  const orderData = rows(3, () => ({ ToStreet2: 'SANDBOX REFUSE ONCE' }))
  await house.call(
    processBatch,
    { params: { userId: ana.user._id }, body: { orderId, orderData } },
    ana.token,
  )
  const status = async () =>
    (await house.call(batchStatus, { params: { orderId } }, ana.token)).body.status
  await expect.poll(async () => isTerminal(await status())).toBe(true)

  const waiting = house.call(retryFailedLabels, { params: { orderId } }, ana.token)
  await expect.poll(status, { interval: 5 }).toBe('retrying_failed')
  await house.stop('SIGTERM')
  expect(house.child.exitCode).toBe(0)
  const answer = await waiting
  expect([answer.status, answer.body.status]).toEqual([200, 'retrying_failed'])

  house = await startServer(data.path)
  await expect.poll(status).toBe('completed')
  await house.stop('SIGTERM')
})
