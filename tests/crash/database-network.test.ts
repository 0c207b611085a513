/** The database is well, the line to it is not: slow, silent for a while, cut again and again. Buying goes on by itself. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { initBatch, processBatch } from '#contract/batches.ts'
import { healthCheck } from '#contract/system.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import { countOpenWork, countLabelStates } from '#tests/support/deployment.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { rows } from '#tests/support/rows.ts'
import { LONG_MINUTES } from '#tests/support/seeded-runs.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import { openTcpProxy, tcpAddress } from '#tests/support/tcp-proxy.ts'

const ROWS = 900

test('a connection slow, then silent, then cut three times: all labels bought once, no lease stays', async () => {
  const [{ database, drop }, data] = await Promise.all([cloneDatabase(), createDataFolder()])
  const address = tcpAddress(database.url)
  const line = await openTcpProxy(Number(address.port))
  address.port = String(line.port)
  const app = await startServer(data.path, {
    DATABASE_URL: address.href,
    ALLOW_UNSAFE_DATABASE: 'yes',
    SANDBOX_CARRIER_LATENCY_MS: '400',
  })
  try {
    const ana = await app.register('Ana')
    await app.pay(ana, 10_000)
    line.setDelay(20)
    const {
      body: { orderId },
    } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
    const sent = await app.call(
      processBatch,
      { params: { userId: ana.user._id }, body: { orderId, orderData: rows(ROWS) } },
      ana.token,
    )
    expect(sent.status, sent.body.message).toBe(202)
    const bought = async () => (await countLabelStates(database)).purchased ?? 0
    const moved = async (least: number) => {
      await expect.poll(bought, { interval: 10 }).toBeGreaterThanOrEqual(least)
    }

    await moved(1)
    line.setDelay(0)
    line.setSilent(true)
    await expect
      .poll(() => app.call(healthCheck, {}).then(answer => answer.status), { interval: 100 })
      .toBe(503)
    line.setSilent(false)
    for (const least of [ROWS / 4, ROWS / 2, (ROWS * 3) / 4]) {
      await moved(least)
      line.resetConnections()
    }
    if (LONG_MINUTES > 0) {
      line.setSilent(true)
      await wait(40_000) // longer than any request waits for the database
      line.setSilent(false)
    }
    await expect.poll(() => countOpenWork(database), { interval: 100 }).toBe(0)
    await expect
      .poll(() => app.call(healthCheck, {}).then(answer => answer.status), { interval: 50 })
      .toBe(200)
    expect(await countLabelStates(database)).toEqual({ purchased: ROWS })
    await app.stop('SIGTERM')
    expect(await findDiscrepancies(database)).toEqual([])
  } finally {
    await app.stop('SIGKILL')
    await line.close()
    await drop()
    await data.forget()
  }
})
