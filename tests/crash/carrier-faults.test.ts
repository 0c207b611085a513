/**
 * Carrier faults by plan (server/carriers/sandbox/fault-plan.ts), and the proof that this file
 * would notice labels bought twice.
 */
import { describe, expect, test } from 'vitest'
import { batchStatus, initBatch, processBatch, retryFailedLabels } from '#contract/batches.ts'
import type { FaultPlanInput } from '#server/carriers/sandbox/fault-plan.ts'
import { openPurchasing } from '#server/purchasing/open.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestApp } from '#tests/support/app.ts'
import { countOpenWork, countLabelStates } from '#tests/support/deployment.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { runNaiveWorker } from '#tests/support/naive-worker.ts'
import { rows } from '#tests/support/rows.ts'
import { replayHint, LONG_MINUTES, SEED } from '#tests/support/seeded-runs.ts'

const openApp = (faults: FaultPlanInput, env: Record<string, string> = {}): Promise<TestApp> =>
  testApp({
    env: {
      CARRIER_TIMEOUT_MS: '2000',
      SANDBOX_CARRIER_FAULTS: JSON.stringify({ seed: SEED, ...faults }),
      ...env,
    },
  })

/** Everything that can happen to an answer. */
const ALL_FAULTS: FaultPlanInput = {
  resetBefore: 0.06,
  busy: 0.06,
  resetAfter: 0.06,
  errorAfter: 0.06,
  nonsense: 0.06,
  late: 0.03,
  silentLookUp: 0.2,
}
const forgetful = {
  ...ALL_FAULTS,
  memory: 'lookup',
  registersLate: 0.08,
  registersAfterMs: 500,
  quarantineMs: 6_000,
} as const
/** The carrier records sales after our lookups, also where these are late on a slow machine. */
const unseen: FaultPlanInput = { registersLate: 0.3, registersAfterMs: 10_000 }

const apps = {
  keeping: await openApp({ ...ALL_FAULTS, registersLate: 0.08, registersAfterMs: 1_500 }),
  forgetful: await openApp(forgetful),
  unseen: await openApp({ ...unseen, memory: 'lookup' }),
  naive: await openApp({ ...ALL_FAULTS, memory: 'lookup' }, { ROLE: 'web' }),
  entering: await openApp({ registersLate: 0.3, registersAfterMs: 3_000 }),
  away: await openApp({ downForMs: 5_000 }, { CARRIER_TIMEOUT_MS: '10000' }),
}

/** A customer's bulk order, accepted; each receiver's second line is `street2`. */
async function placeBatch(app: TestApp, count: number, street2 = '') {
  const ana = await app.register()
  await app.creditDollars(ana.user._id, count * 10)
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
  const body = { orderId, orderData: rows(count, () => ({ ToStreet2: street2 })) }
  const sent = await app.call(processBatch, { params: { userId: ana.user._id }, body }, ana.token)
  expect(sent.status, sent.body.message).toBe(202)
  return {
    status: async () =>
      (await app.call(batchStatus, { params: { orderId } }, ana.token)).body.status,
    retry: () => app.call(retryFailedLabels, { params: { orderId } }, ana.token),
  }
}
const seed = replayHint(SEED)
/** The check's line about a label that no order has. */
const SOLD_TWICE = /^order \d+ is +with , the carrier sold 98\d{20}$/
const COUNT = LONG_MINUTES > 0 ? 500 : 150
/** Six apps share one process here. */
const PATIENCE = { timeout: 600_000, interval: 100 }

/**
 * A label with three lost answers waits for minutes between its calls. The quarantine itself is measured from other columns and
 * stays as long as it is.
 */
async function countOpenWorkAfterShortWaits(database: TestApp['database']): Promise<number> {
  await database.pool.query(
    `update shipment_order set run_after = now() + interval '1 second'
      where state in ('queued', 'unknown') and run_after > now() + interval '2 seconds'`,
  )
  return countOpenWork(database)
}

describe.concurrent('a batch', () => {
  test('every failure, with sales recorded after our lookup, and a carrier with keys: all sold once', async ({
    expect,
  }) => {
    const { database } = apps.keeping
    await placeBatch(apps.keeping, COUNT)
    await expect.poll(() => countOpenWorkAfterShortWaits(database), PATIENCE).toBe(0)
    // By then every late sale is registered: its delay of 1.5 s began with the call.
    const isRegistered = async () =>
      (
        await database.pool.query<{ passed: boolean }>(
          `select now() - max(started_at) > interval '3 seconds' as passed from carrier_call`,
        )
      ).rows[0]!.passed
    await expect.poll(isRegistered, PATIENCE).toBe(true)
    expect(await countLabelStates(database), seed).toEqual({ purchased: COUNT })
    expect(await findDiscrepancies(database), seed).toEqual([])
  })

  test('the same with a carrier without keys: its quarantine finds what was sold', async ({
    expect,
  }) => {
    const { database } = apps.forgetful
    await placeBatch(apps.forgetful, COUNT)
    await expect.poll(() => countOpenWorkAfterShortWaits(database), PATIENCE).toBe(0)
    expect(await countLabelStates(database), seed).toEqual({ purchased: COUNT })
    expect(await findDiscrepancies(database), seed).toEqual([])
  })

  test('a retry that ends before the carrier has recorded its sales: no label fails that is sold afterwards', async ({
    expect,
  }) => {
    const { database } = apps.entering
    const order = await placeBatch(apps.entering, 40, 'SANDBOX REFUSE ONCE')
    await expect.poll(order.status, PATIENCE).toBe('completed_with_errors')
    expect((await order.retry()).status).toBe(200)
    await expect.poll(() => countOpenWorkAfterShortWaits(database), PATIENCE).toBe(0)
    expect(await countLabelStates(database), seed).toEqual({ purchased: 40 })
    await expect.poll(order.status, PATIENCE).toBe('completed')
    expect(await findDiscrepancies(database), seed).toEqual([])
  })

  test('believing such a carrier at once buys twice, and the check says so', async ({ expect }) => {
    const { database } = apps.unseen
    await placeBatch(apps.unseen, COUNT)
    await expect
      .poll(() => findDiscrepancies(database), { ...PATIENCE, interval: 500 })
      .toContainEqual(expect.stringMatching(SOLD_TWICE))
  })

  test('a worker that tries everything again buys twice: the check names each label, and no customer paid twice', async ({
    expect,
  }) => {
    const { database } = apps.naive
    await placeBatch(apps.naive, COUNT)
    await runNaiveWorker(openPurchasing(apps.naive.ctx))
    const {
      rows: [sold],
    } = await database.pool.query<{ n: number }>('select count(*) as n from sandbox_purchase')
    expect(await countLabelStates(database)).toEqual({ purchased: COUNT })
    expect(sold!.n).toBeGreaterThan(COUNT)
    const found = await findDiscrepancies(database)
    expect(found).toHaveLength(sold!.n - COUNT)
    for (const line of found) expect(line).toMatch(SOLD_TWICE)
  })

  test('an unavailable carrier does not get the whole queue, and everything is bought when it is back', async ({
    expect,
  }) => {
    const { database } = apps.away
    const count = 1_500
    const order = await placeBatch(apps.away, count)
    await expect.poll(order.status, PATIENCE).toBe('completed')
    const {
      rows: [refused],
    } = await database.pool.query<{ n: number }>(
      "select count(*) as n from carrier_call where act = 'buy' and code = 'ECONNRESET'",
    )
    // Those under way when it fell silent (400, more on a busy machine) and probes. A worker that goes on calling asks for each label.
    expect(refused!.n).toBeGreaterThan(0)
    expect(refused!.n).toBeLessThan(count)
    expect(await findDiscrepancies(database)).toEqual([])
  })
})
