import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { sumLosses } from '#server/admin/dashboard-store.ts'
import { findPause } from '#server/carriers/service.ts'
import { costRefusal } from '#server/carriers/shipment-refusal.ts'
import { findViolations } from '#server/ledger/service.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import { setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { readLabels, runWorker, walletOfCustomer } from '#tests/support/silent-carrier.ts'
import { retryCarrierAccount } from './retry-carrier-account.ts'

const BALANCE = 100_000
const PRICE = 650

/** Labels cost `cost` cents. `tellsFirst`: the carrier tells its price before it sells. */
const withCosts = (
  { cost, tellsFirst = false }: { cost: number; tellsFirst?: boolean },
  run: (simulation: Simulation) => Promise<void>,
): Promise<void> =>
  withSimulation(
    {
      change: ({ carrier, config }) => ({
        config: { ...config, maxLossPerLabel: cents(500), maxLossPerDay: cents(5_000) },
        carrier: {
          ...carrier,
          async purchase(attempt, shipment, signal) {
            const refusal = tellsFirst ? costRefusal(shipment, cents(cost)) : null
            if (refusal) return refusal
            const outcome = await carrier.purchase(attempt, shipment, signal)
            return outcome.ok
              ? { ...outcome, purchase: { ...outcome.purchase, costCents: cents(cost) } }
              : outcome
          },
        },
      }),
    },
    async simulation => {
      await setCustomerBalance(simulation, simulation.customerIds[0], BALANCE)
      await run(simulation)
      expect(await findViolations(simulation.database.db)).toEqual([])
      expect(simulation.errors).toEqual([])
    },
  )
const buy = async (simulation: Simulation, labels: number): Promise<void> => {
  await submitBatch(simulation, simulation.customerIds[0], Array(labels).fill(''))
  await runWorker(simulation)
}
const statesOf = async (simulation: Simulation) =>
  (await readLabels(simulation)).map(({ state }) => state)
const pauseOf = ({ ctx, database }: Simulation) => findPause(database.db, ctx.carrier.account)

test('a label above the ceiling is not bought, nothing is charged, and the operator sees it', async () => {
  await withCosts({ cost: PRICE + 501, tellsFirst: true }, async simulation => {
    await buy(simulation, 2)
    expect(await readLabels(simulation)).toMatchObject(
      Array(2).fill({
        state: 'failed',
        reason:
          'The carrier’s price for this parcel is above what this service covers. Nothing was charged',
      }),
    )
    expect(await walletOfCustomer(simulation)).toMatchObject({ available: BALANCE, held: 0 })
    expect(await sumLosses(simulation.database.db)).toMatchObject({ count: 2, refused: 2, lost: 0 })
    expect(await pauseOf(simulation)).toBeNull()
  })
})

test('a loss within the ceiling is accepted', async () => {
  for (const tellsFirst of [true, false])
    await withCosts({ cost: PRICE + 500, tellsFirst }, async simulation => {
      await buy(simulation, 2)
      expect(await statesOf(simulation)).toEqual(['purchased', 'purchased'])
      expect(await sumLosses(simulation.database.db)).toMatchObject({ count: 0 })
    })
})

test('losses of a day pause purchases until the administrator resumes, and then count from there on', async () => {
  await withCosts({ cost: PRICE + 3_000 }, async simulation => {
    await buy(simulation, 1)
    expect(await pauseOf(simulation)).toBeNull()
    await buy(simulation, 1)
    expect(await sumLosses(simulation.database.db)).toMatchObject({ refused: 0, lost: 6_000 })
    expect(await pauseOf(simulation)).toMatchObject({
      needsAdministrator: true,
      reason:
        'Labels sold in the last 24 hours cost $60.00 more than their prices; MAX_LOSS_PER_DAY is $50.00. '
        + 'Correct the prices of their services before you resume',
    })
    // No probe: the labels wait, and none fails.
    await buy(simulation, 2)
    expect(await statesOf(simulation)).toEqual(['purchased', 'purchased', 'queued', 'queued'])

    await retryCarrierAccount(simulation.ctx, simulation.operator)
    expect(await pauseOf(simulation)).toBeNull()
    await runWorker(simulation)
    expect(await statesOf(simulation)).toEqual(Array(4).fill('purchased'))
    expect(await pauseOf(simulation)).toMatchObject({ needsAdministrator: true })
  })
})

test('a sale that was under way does not end the pause', async () => {
  await withCosts({ cost: PRICE + 5_001 }, async simulation => {
    await buy(simulation, 3)
    expect(await statesOf(simulation)).toEqual(Array(3).fill('purchased'))
    expect(await pauseOf(simulation)).toMatchObject({ needsAdministrator: true })
  })
})

const limitServices = ({ database }: Simulation, maxLoss: number | null) =>
  database.pool.query('update default_service set max_loss_cents = $1', [maxLoss])

test('a service’s own limit counts instead of that of the installation', async () => {
  await withCosts({ cost: PRICE + 501, tellsFirst: true }, async simulation => {
    await limitServices(simulation, 501)
    await buy(simulation, 1)
    expect(await statesOf(simulation)).toEqual(['purchased'])
    await limitServices(simulation, 500)
    await buy(simulation, 1)
    expect(await statesOf(simulation)).toEqual(['purchased', 'failed'])
    expect(await sumLosses(simulation.database.db)).toMatchObject({ count: 1, refused: 1 })
  })
})

test('a service that may not lose a cent sells at cost and not above', async () => {
  for (const above of [0, 1])
    await withCosts({ cost: PRICE + above, tellsFirst: true }, async simulation => {
      await limitServices(simulation, 0)
      await buy(simulation, 1)
      expect(await statesOf(simulation)).toEqual([above === 0 ? 'purchased' : 'failed'])
    })
})

test('where the cost comes with the label, one sale above the service’s own limit pauses purchases', async () => {
  await withCosts({ cost: PRICE + 101 }, async simulation => {
    await buy(simulation, 1)
    expect(await pauseOf(simulation)).toBeNull()
    await limitServices(simulation, 100)
    await buy(simulation, 1)
    const [, sold] = await readLabels(simulation)
    expect(sold).toMatchObject({ state: 'purchased' })
    expect(await pauseOf(simulation)).toMatchObject({
      needsAdministrator: true,
      reason: expect.stringMatching(
        /^Label \d+ cost \$1\.01 more than its price; the limit of its service is \$1\.00\. Correct the prices/,
      ),
    })
    await buy(simulation, 1)
    expect((await statesOf(simulation)).at(-1)).toBe('queued')
  })
})
