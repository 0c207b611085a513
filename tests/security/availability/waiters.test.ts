/** Hundreds who wait for one order ask the database as one. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { placeOrder } from '#contract/orders.ts'
import { testDatabase } from '#tests/support/database.ts'
import { FROZEN, watchHealth } from '#tests/support/health-watch.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'
import { waitDuring } from './wait-during.ts'

const WAITERS = 500
/** Transactions of the health checks that measure, of jobs and of look-ups for all who wait, in a second. */
const OTHERS_A_SECOND = 200

const database = await testDatabase()
const data = await createDataFolder()
const server = await startServer(data.path, {
  DATABASE_URL: database.url,
  ALLOW_UNSAFE_DATABASE: 'yes',
  CARRIER_TIMEOUT_MS: '12000',
  SANDBOX_CARRIER_LATENCY_MS: '6000',
  // For several attacks within a minute.
  CALLS_PER_MINUTE: '100000',
})
const watch = watchHealth(server.url)
afterAll(async () => {
  await watch.close()
  await server.stop('SIGTERM')
  await data.forget()
})

let asked = 0
/**
 * Sends the order again with the same key if it was refused because the user's requests had waited too long for one of the user's few
 * database connections, as after a process stood still.
 */
async function order({ user, token }: SignedInUser, key: string) {
  for (let tries = 1; ; tries++) {
    asked++
    const response = await fetch(server.url + placeOrder.path, {
      method: placeOrder.method,
      headers: { token, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(singleOrderBody(user._id)),
    })
    const { status } = response
    const { data: bought } = (await response.json()) as { data?: { orderId: string } }
    if ((status !== 429 && status !== 503) || tries === 5)
      return { status, orderId: bought?.orderId }
    await pause(1_000)
  }
}

/** Of all processes on this database so far. Sessions report them within a second. */
async function readTransactions(): Promise<number> {
  const { rows } = await database.owner.pool.query<{ n: string }>(
    'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]!.n)
}

test('five hundred requests with one key wait for one order, and the database hardly notices', async () => {
  const buyer = await server.register('Buyer')
  await server.pay(buyer, 100)
  const begun = performance.now()
  const before = await readTransactions()
  let attacks = 0
  const wait = await waitDuring(watch, async () => {
    const key = `key ${++attacks}`
    const answers = await Promise.all(Array.from({ length: WAITERS }, () => order(buyer, key)))
    // 202: the wait for the label ended before the label, as on a busy machine.
    for (const { status } of answers) expect([200, 202]).toContain(status)
    expect(new Set(answers.map(({ orderId }) => orderId)).size).toBe(1)
  })
  // Each signs in, finds its key and the order: a few transactions, however long the wait.
  const ofOthers = (OTHERS_A_SECOND * (performance.now() - begun)) / 1_000
  expect((await readTransactions()) - before).toBeLessThan(asked * 10 + 1_000 + ofOthers)
  expect(wait).toBeLessThan(FROZEN)
})
