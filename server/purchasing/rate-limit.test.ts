import { expect, test } from 'vitest'
import { batchEtaFor } from '#server/batches/eta.ts'
import { findCountedBatch } from '#server/batches/service.ts'
import type { PurchaseResult, RateLimit } from '#server/carriers/port.ts'
import { refillPerMinute } from '#server/carriers/rules.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import { withSimulation, setCustomerBalance } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { retryCarrierAccount } from './retry-carrier-account.ts'
import { startPurchaseWorker } from './worker.ts'

const PACE: RateLimit = { perMinute: 6_000, burst: 200 }

async function states(simulation: Simulation): Promise<Record<string, number>> {
  const { rows } = await simulation.database.pool.query<{ state: string; many: number }>(
    'select state, count(*)::int as many from shipment_order group by state',
  )
  return Object.fromEntries(rows.map(({ state, many }) => [state, many]))
}

/** The most carrier calls within `ms`, by the recorded calls. */
async function mostWithin(simulation: Simulation, ms: number): Promise<number> {
  const { rows } = await simulation.database.pool.query<{ most: number }>(
    `
    select max(many)::int as most from (
      select count(*) over (order by started_at range between current row and $1 * interval '1 millisecond' following) as many
        from carrier_call) windows`,
    [ms],
  )
  return rows[0]!.most
}

const commands = (many: number): string[] => Array.from({ length: many }, () => '')

test('workers that share an account keep its rate limit together, also after a crash, and no label fails', async () => {
  await withSimulation(
    { change: ({ carrier }) => ({ carrier: { ...carrier, rateLimit: PACE } }) },
    async simulation => {
      const [ana, ben] = simulation.customerIds
      for (const person of simulation.customerIds)
        await setCustomerBalance(simulation, person, 10_000_000)
      await submitBatch(simulation, ana, commands(500))
      await submitBatch(simulation, ben, commands(20))
      const workers = [startPurchaseWorker(simulation.ctx), startPurchaseWorker(simulation.ctx)]
      await expect.poll(async () => (await states(simulation)).purchased ?? 0).toBeGreaterThan(200)
      await Promise.all(workers.map(worker => worker.stop()))
      const {
        rows: [first],
      } = await simulation.database.pool.query(
        `select count(*)::int as open from shipment_order where user_id = $1 and state <> 'purchased'`,
        [ben],
      )
      expect(first, 'who has little to do does not wait for who has much').toEqual({ open: 0 })
      const followers = [startPurchaseWorker(simulation.ctx), startPurchaseWorker(simulation.ctx)]
      await expect.poll(() => states(simulation)).toEqual({ purchased: 520 })
      await Promise.all(followers.map(worker => worker.stop()))
      for (const ms of [100, 500, 1_000, 2_000]) {
        expect(await mostWithin(simulation, ms), `within ${ms} ms`).toBeLessThanOrEqual(
          PACE.burst + (refillPerMinute(PACE) * ms) / 60_000 + 1,
        )
      }
      expect(await findDiscrepancies(simulation.database)).toEqual([])
    },
  )
})

test('while the carrier account has a problem no label fails, users see it, and buying continues when it is solved', async () => {
  let solved = false
  let calls = 0
  const broke: PurchaseResult = {
    ok: false,
    kind: 'account',
    code: '402',
    message: 'Insufficient funds',
  }
  await withSimulation(
    {
      change: ({ carrier }) => ({
        carrier: {
          ...carrier,
          purchase: (...call) => {
            calls++
            return solved ? carrier.purchase(...call) : Promise.resolve(broke)
          },
        },
      }),
    },
    async simulation => {
      const { database, ctx } = simulation
      await setCustomerBalance(simulation, simulation.customerIds[0], 1_000_000)
      await submitBatch(simulation, simulation.customerIds[0], commands(20))
      const worker = startPurchaseWorker(ctx)
      const paused = async () =>
        (await database.pool.query('select pause_reason from carrier_budget')).rows
      await expect.poll(paused).toEqual([{ pause_reason: 'Insufficient funds' }])
      await expect.poll(() => states(simulation)).toEqual({ queued: 20 })
      expect(
        await batchEtaFor(ctx, (await findCountedBatch(database.db, simulation.batches[0]!))!),
      ).toEqual({
        waitingFor:
          'Waiting for the carrier account. Your labels are bought as soon as it is ready.',
      })
      // The response to the last call is settled: the account is paused again.
      const rests = async () =>
        (
          await database.pool.query<{ rests: boolean }>(
            `select paused_until > clock_timestamp() + interval '10 seconds' as rests from carrier_budget`,
          )
        ).rows[0]!.rests
      await expect.poll(rests).toBe(true)
      const before = calls
      await retryCarrierAccount(ctx, simulation.operator)
      await expect.poll(() => calls).toBeGreaterThan(before)
      await expect.poll(rests).toBe(true)
      await expect.poll(() => states(simulation)).toEqual({ queued: 20 })
      solved = true
      await retryCarrierAccount(ctx, simulation.operator)
      await expect.poll(() => states(simulation)).toEqual({ purchased: 20 })
      await worker.stop()
      expect(await paused()).toEqual([{ pause_reason: null }])
      await expect(retryCarrierAccount(ctx, simulation.operator)).rejects.toThrow(
        'Purchases are not paused',
      )
    },
  )
})

test('with a rate limit a bulk order shows when it will be done', async () => {
  await withSimulation(
    {
      change: ({ carrier }) => ({
        carrier: { ...carrier, rateLimit: { perMinute: 60, burst: 6 } },
      }),
    },
    async simulation => {
      await setCustomerBalance(simulation, simulation.customerIds[0], 1_000_000)
      await submitBatch(simulation, simulation.customerIds[0], commands(54))
      const now = Date.now()
      const { expectedAt } = await batchEtaFor(
        simulation.ctx,
        (await findCountedBatch(simulation.database.db, simulation.batches[0]!))!,
        now,
      )
      const left = Date.parse(expectedAt!) - now
      expect(left).toBeGreaterThanOrEqual(60_000)
      expect(left).toBeLessThan(120_000)
    },
  )
})
