/**
 * The process is killed while labels are voided, also between the carrier's word and our writing it down: after a new start each
 * void is asked for to its end, and each price is paid back once.
 */
import { afterAll, expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { listOrders } from '#contract/orders.ts'
import { voidOrder, voidOrders } from '#contract/voids.ts'
import { testDatabase } from '#tests/support/database.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { openPdf } from '#tests/support/read-pdf.ts'
import { rows } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'
import { stopProcess, startWorkerProcess } from '#tests/support/worker-process.ts'

const ROWS = 60
const PRICE = 6.5
const data = await createDataFolder()
afterAll(() => data.forget())

/** An app on a database that the test can read. */
async function open() {
  const database = await testDatabase()
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: data.path,
    ALLOW_UNSAFE_DATABASE: 'yes',
    SANDBOX_CARRIER_LATENCY_MS: '60',
  }
  /** The carrier voids all labels and responds to the first `responses` voids of a process only. */
  const silentEnv = (responses: number) => ({
    ...env,
    SANDBOX_CARRIER_FAULTS: JSON.stringify({ silentAfterVoids: responses }),
  })
  const count = async (what: string) =>
    (await database.pool.query<{ n: number }>(`select count(*) as n from ${what}`)).rows[0]!.n
  return {
    database,
    env,
    silentEnv,
    /** Labels that the carrier has voided, and those that we say are. */
    voidedThere: () => count('sandbox_purchase where voided_at is not null'),
    voidedHere: () => count("shipment_order where state = 'voided'"),
  }
}

/** A customer with a bulk order that is bought to its end, and its labels' ids by their rows. */
async function customer(app: ServerProcess, street2: (n: number) => string) {
  const ana = await app.register('Ana')
  await app.pay(ana, 1_000)
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
  const orderData = rows(ROWS, n => ({ ToStreet2: street2(n) }))
  await app.call(
    processBatch,
    { params: { userId: ana.user._id }, body: { orderId, orderData } },
    ana.token,
  )
  const status = async () =>
    (await app.call(batchStatus, { params: { orderId } }, ana.token)).body.status
  await expect.poll(async () => isTerminal(await status()), { interval: 50 }).toBe(true)
  const {
    body: { orders },
  } = await app.call(listOrders, { params: { userId: ana.user._id }, query: {} }, ana.token)
  return {
    ...ana,
    batchId: orderId,
    labels: orders.toSorted((a, b) => a.row! - b.row!).map(order => order._id),
  }
}
const balance = async (app: ServerProcess, of: SignedInUser) =>
  (await app.call(verifySession, {}, of.token)).body.user.balance

test('killed between the carrier’s confirmation and our record: the money is refunded once', async () => {
  const { database, env, silentEnv, voidedThere, voidedHere } = await open()
  let app = await startServer(data.path, silentEnv(0))
  const ana = await customer(app, () => '')
  const [late] = ana.labels
  // The carrier has voided the label; its response does not come.
  const asked = app.call(voidOrder, { params: { orderId: late! } }, ana.token).catch(() => null)
  await expect.poll(voidedThere, { interval: 5 }).toBe(1)
  await app.stop('SIGKILL')
  await asked
  expect(await voidedHere()).toBe(0)

  // The carrier is asked again, but its answer does not come here either: the void stays open.
  app = await startServer(data.path, silentEnv(0))
  const order = async () =>
    (
      await app.call(
        listOrders,
        { params: { userId: ana.user._id }, query: { search: late! } },
        ana.token,
      )
    ).body.orders.find(one => one._id === late)!
  expect(await order()).toMatchObject({ void: 'requested', pdfName: null })
  expect(await balance(app, ana)).toBe(1_000 - ROWS * PRICE)
  await app.stop('SIGKILL')
  app = await startServer(data.path, env)
  await expect.poll(async () => (await order()).void, { interval: 100 }).toBe('voided')
  expect(await balance(app, ana)).toBe(1_000 - (ROWS - 1) * PRICE)
  expect(await findDiscrepancies(database)).toEqual([])
  await app.stop('SIGTERM')
})

test('killed twice during sixty voids: all voided, all refunded once, the files written without them', async () => {
  const { database, env, silentEnv, voidedThere, voidedHere } = await open()
  let app = await startServer(data.path, silentEnv(20))
  const ben = await customer(app, n => ['', 'SANDBOX LOST', '', 'SANDBOX BUSY', ''][n % 5]!)
  const wanted = ben.labels.slice(0, -2)
  const asked = app.call(voidOrders, { body: { orderIds: wanted } }, ben.token).catch(() => null)
  await expect.poll(voidedThere, { interval: 5 }).toBeGreaterThan(0)
  await app.stop('SIGKILL')
  await asked
  expect(await voidedHere()).toBeLessThanOrEqual(20)

  app = await startServer(data.path, silentEnv(30))
  await expect.poll(voidedHere, { interval: 5 }).toBeGreaterThan(20)
  await app.stop('SIGKILL')
  expect(await voidedHere()).toBeLessThan(wanted.length)
  app = await startServer(data.path, env)
  await expect.poll(voidedHere, { interval: 100 }).toBe(wanted.length)
  expect(await balance(app, ben)).toBe(1_000 - 2 * PRICE)
  const download = () => app.file(`/api/orders/download/pdf/${ben.batchId}`, ben.token)
  // 503 while the files are written again without the voided labels.
  await expect.poll(async () => (await download()).status).toBe(200)
  expect((await openPdf((await download()).bytes)).count).toBe(2)
  expect(await findDiscrepancies(database)).toEqual([])
  await app.stop('SIGTERM')
})

test('one process serves and two work, one of them frozen and one killed: the remaining one settles the void', async () => {
  const { database, env, voidedHere } = await open()
  const [app, ...workers] = await Promise.all([
    startServer(data.path, { ...env, ROLE: 'web' }),
    startWorkerProcess(env),
    startWorkerProcess(env),
  ])
  const cara = await customer(app, n => (n % 7 === 0 ? 'SANDBOX LOST' : ''))
  const asked = app
    .call(voidOrders, { body: { orderIds: cara.labels } }, cara.token)
    .catch(() => null)
  await expect.poll(voidedHere, { interval: 5 }).toBeGreaterThan(0)
  workers[0]!.kill('SIGSTOP')
  await Promise.all([stopProcess(workers[1]!, 'SIGKILL'), app.stop('SIGKILL')])
  await asked
  workers[1] = await startWorkerProcess(env)
  await expect.poll(voidedHere, { interval: 100 }).toBe(ROWS)
  // What it does with labels that are no longer its own, it does before it ends.
  workers[0]!.kill('SIGCONT')
  await Promise.all(workers.map(worker => stopProcess(worker, 'SIGTERM')))
  const again = await startServer(data.path, { ...env, ROLE: 'web' })
  expect(await balance(again, cara)).toBe(1_000)
  expect(await findDiscrepancies(database)).toEqual([])
  await again.stop('SIGTERM')
})
