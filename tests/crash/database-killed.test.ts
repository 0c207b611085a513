/**
 * The database is killed in the middle of an order, and later the server is stopped: purchasing
 * continues by itself, and a clean stop leaves nothing unknown.
 */
import { afterAll, expect, test } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { healthCheck } from '#contract/system.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { clusterPath } from '#server/platform/embedded-postgres/cluster.ts'
import { findClusterLocation } from '#server/platform/embedded-postgres/location.ts'
import { readPidFile } from '#server/platform/embedded-postgres/postmaster.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { repeatSpoiled } from '#tests/support/rounds.ts'
import { rows } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'

const ROWS = 600
const env = { SANDBOX_CARRIER_LATENCY_MS: '100', CARRIER_TIMEOUT_MS: '10000' }
const data = await createDataFolder()
afterAll(() => data.forget())

test('the database is killed and the server stopped: everything continues, and no label stays unknown', async () => {
  let app = await startServer(data.path, env)
  const ana = await app.register('Ana')
  await app.pay(ana, 20_000)
  const order = async () => {
    const {
      body: { orderId },
    } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
    const sent = await app.call(
      processBatch,
      { params: { userId: ana.user._id }, body: { orderId, orderData: rows(ROWS) } },
      ana.token,
    )
    expect(sent.status, sent.body.message).toBe(202)
    return orderId
  }
  const progress = async (orderId: string) =>
    (await app.call(batchStatus, { params: { orderId } }, ana.token)).body
  const begun = async (orderId: string) => {
    await expect
      .poll(async () => (await progress(orderId)).processedCount, { interval: 5 })
      .toBeGreaterThan(0)
  }
  const finished = async (orderId: string) => {
    await expect
      .poll(async () => isTerminal((await progress(orderId)).status), { interval: 100 })
      .toBe(true)
  }

  const first = await order()
  await begun(first)
  process.kill(
    readPidFile(clusterPath(await findClusterLocation(data.path, () => {})))!.pid,
    'SIGKILL',
  )
  await expect
    .poll(async () => (await app.call(healthCheck, {})).status, { interval: 20 })
    .toBe(200)
  await finished(first)
  expect(await progress(first)).toMatchObject({ status: 'completed', processedCount: ROWS })

  const stopDuringOrder = async () => {
    const second = await order()
    await begun(second)
    await app.stop('SIGTERM')
    const { exitCode } = app.child
    const left = await leftBehind()
    expect(left.faults).toEqual([])
    app = await startServer(data.path, env)
    await finished(second)
    expect(await progress(second)).toMatchObject({ status: 'completed', processedCount: ROWS })
    return { exitCode, states: left.states }
  }
  // A server that stands still for long is not stopped cleanly, or has no answer to a call in time.
  const stopped = await repeatSpoiled(
    stopDuringOrder,
    ({ exitCode, states: { purchasing, unknown } }) =>
      exitCode !== 0 || purchasing !== 0 || unknown !== 0,
  )
  expect(stopped).toMatchObject({ exitCode: 0, states: { purchasing: 0, unknown: 0 } })
  await app.stop('SIGTERM')
  expect((await leftBehind()).faults).toEqual([])
})

/** Opens the database of the stopped server and counts. */
async function leftBehind(): Promise<{ states: Record<string, number>; faults: string[] }> {
  const postgres = await startPostgres({ dataDir: data.path, log: () => {} })
  const database = openDatabase(postgres.ownerUrl, { max: 2 })
  try {
    const { rows: counted } = await database.pool.query<{ state: string; n: number }>(
      'select state, count(*) as n from shipment_order group by state',
    )
    const states = {
      purchasing: 0,
      unknown: 0,
      ...Object.fromEntries(counted.map(({ state, n }) => [state, n])),
    }
    return { states, faults: await findDiscrepancies(database) }
  } finally {
    await database.close()
    await postgres.stop()
  }
}
