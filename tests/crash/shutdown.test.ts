import { afterAll, expect, test } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch, retryFailedLabels } from '#contract/batches.ts'
import { repeatSpoiled } from '#tests/support/rounds.ts'
import { rows } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'

const data = await createDataFolder()
afterAll(() => data.forget())

test('a server that stops while a retry waits answers it, stops cleanly, and continues at the next start', async () => {
  // Where a process stands still, the retry may be over before the server stops, or the stop takes too long.
  const stopped = await repeatSpoiled(
    stopDuringRetry,
    ({ exitCode, wasWaiting, answer }) =>
      exitCode !== 0 || !wasWaiting || answer[1] !== 'retrying_failed',
  )
  expect(stopped).toEqual({ exitCode: 0, wasWaiting: true, answer: [200, 'retrying_failed'] })
})

/**
 * `wasWaiting`: the retry had no answer when the server stopped. `answer`: its status and that of the bulk order; undefined if the
 * connection was closed without an answer.
 */
async function stopDuringRetry() {
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

  let isAnswered = false
  const waiting = app
    .call(retryFailedLabels, { params: { orderId } }, ana.token)
    .catch(() => undefined)
    .finally(() => {
      isAnswered = true
    })
  await expect
    .poll(async () => isAnswered || (await status()) === 'retrying_failed', { interval: 5 })
    .toBe(true)
  const wasWaiting = !isAnswered
  await app.stop('SIGTERM')
  const { exitCode } = app.child
  const answer = await waiting

  app = await startServer(data.path)
  await expect.poll(status).toBe('completed')
  await app.stop('SIGTERM')
  return { exitCode, wasWaiting, answer: [answer?.status, answer?.body.status] }
}
