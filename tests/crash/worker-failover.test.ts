/**
 * Several processes on one database, as a growing house runs them: one serves, others buy. Workers are killed and frozen at any
 * moment; each label is bought once all the same.
 */
import { afterAll, expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { testDatabase } from '#tests/support/database.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { rows } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import { stopProcess, startWorkerProcess } from '#tests/support/worker-process.ts'

const ROWS = 600
const PRICE = 6.5
const COMMANDS = [
  '',
  'SANDBOX LOST',
  '',
  'SANDBOX LATE',
  '',
  'SANDBOX BUSY',
  '',
  '',
  'SANDBOX REFUSE',
  '',
]

const database = await testDatabase()
const data = await createDataFolder()
afterAll(() => data.forget())
const env = {
  DATABASE_URL: database.url,
  DATA_DIR: data.path,
  ALLOW_UNSAFE_DATABASE: 'yes',
  SANDBOX_CARRIER_LATENCY_MS: '60',
  // On a slow machine a shorter one ends calls that the carrier answers, and look-ups after them.
  CARRIER_TIMEOUT_MS: '2000',
}

test('one worker is frozen and one killed: every label bought once, paid once, nothing left open', async () => {
  const [app, ...workers] = await Promise.all([
    startServer(data.path, { ...env, ROLE: 'web' }),
    startWorkerProcess(env),
    startWorkerProcess(env),
  ])
  const ana = await app.register('Ana')
  await app.pay(ana, 10_000)
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
  const orderData = rows(ROWS, n => ({ ToStreet2: COMMANDS[n % COMMANDS.length]! }))
  const sent = await app.call(
    processBatch,
    { params: { userId: ana.user._id }, body: { orderId, orderData } },
    ana.token,
  )
  expect(sent.status, sent.body.message).toBe(202)
  const progress = async () =>
    (await app.call(batchStatus, { params: { orderId } }, ana.token)).body
  const moved = async (least: number) => {
    await expect
      .poll(async () => (await progress()).processedCount, { interval: 20 })
      .toBeGreaterThanOrEqual(least)
  }

  await moved(1)
  workers[0]!.kill('SIGSTOP')
  await moved(100)
  await stopProcess(workers[1]!, 'SIGKILL')
  workers[1] = await startWorkerProcess(env)
  await expect.poll(async () => isTerminal((await progress()).status), { interval: 200 }).toBe(true)
  // The frozen worker settles what it can before it ends: nothing, because others have claimed its labels.
  workers[0]!.kill('SIGCONT')
  await Promise.all(workers.map(worker => stopProcess(worker, 'SIGTERM')))
  expect(await progress()).toMatchObject({
    status: 'completed_with_errors',
    processedCount: ROWS,
    failedCount: ROWS / 10,
  })
  expect(await findDiscrepancies(database)).toEqual([])
  expect((await app.call(verifySession, {}, ana.token)).body.user).toMatchObject({
    balance: 10_000 - ROWS * 0.9 * PRICE,
    totalSpent: ROWS * 0.9 * PRICE,
    totalDeposit: 10_000,
  })
  await app.stop('SIGTERM')
})
