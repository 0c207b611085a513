/** Machines that do not agree on the day: one worker is three days ahead, the other three behind. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { sandboxPay, topUp } from '#contract/payments.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import { countOpenWork, countLabelStates } from '#tests/support/deployment.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { rows } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import { stopProcess, startWorkerProcess } from '#tests/support/worker-process.ts'

const ROWS = 300
const DAYS_MS = 3 * 24 * 60 * 60 * 1000
const shifted = (ms: number) => ({
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, '..', 'support', 'shifted-clock.ts'))}`,
  CLOCK_SHIFT_MS: String(ms),
})

test('three days ahead and three behind: leases, waits and money follow the database’s clock', async () => {
  const [{ database, drop }, data] = await Promise.all([cloneDatabase(), createDataFolder()])
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: data.path,
    ALLOW_UNSAFE_DATABASE: 'yes',
    SANDBOX_CARRIER_LATENCY_MS: '100',
    SANDBOX_CARRIER_FAULTS: JSON.stringify({
      seed: 5,
      resetBefore: 0.05,
      resetAfter: 0.05,
      busy: 0.05,
      memory: 'lookup',
      quarantineMs: 4_000,
    }),
  }
  const [app, ...workers] = await Promise.all([
    startServer(data.path, { ...env, ROLE: 'web' }),
    startWorkerProcess({ ...env, ...shifted(DAYS_MS) }),
    startWorkerProcess({ ...env, ...shifted(-DAYS_MS) }),
  ])
  try {
    const ana = await app.register('Ana')
    await app.pay(ana, 5_000)
    const {
      body: { orderId },
    } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
    await app.call(
      processBatch,
      { params: { userId: ana.user._id }, body: { orderId, orderData: rows(ROWS) } },
      ana.token,
    )
    // While workers with other dates run, an invoice is opened and paid, and no user is signed out.
    const { body: invoice } = await app.call(topUp, { params: { userId: ana.user._id } }, ana.token)
    await expect.poll(() => countOpenWork(database), { interval: 100 }).toBe(0)
    expect(
      (await app.call(sandboxPay, { params: { id: invoice.id }, body: { amount: 50 } }, ana.token))
        .status,
    ).toBe(200)
    expect((await app.call(verifySession, {}, ana.token)).body.user).toMatchObject({
      balance: 5_050 - ROWS * 6.5,
      totalSpent: ROWS * 6.5,
    })
    expect((await app.call(batchStatus, { params: { orderId } }, ana.token)).body.status).toBe(
      'completed',
    )
    expect(await countLabelStates(database)).toEqual({ purchased: ROWS })
    const {
      rows: [far],
    } = await database.pool.query<{ n: number }>(`
      select count(*) as n from shipment_order
        where greatest(run_after, purchased_at) > now() + interval '1 day' or least(run_after, purchased_at) < now() - interval '1 day'`)
    expect(far!.n).toBe(0)
    expect(await findDiscrepancies(database)).toEqual([])
    await Promise.all([
      ...workers.map(worker => stopProcess(worker, 'SIGTERM')),
      app.stop('SIGTERM'),
    ])
  } finally {
    await Promise.all([
      ...workers.map(worker => stopProcess(worker, 'SIGKILL')),
      app.stop('SIGKILL'),
    ])
    await drop()
    await data.forget()
  }
})
