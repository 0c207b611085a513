/**
 * One process serves, two buy, and every second one of the three is killed, with the worst carrier,
 * which sells again what is requested again. EVENPOST_SEED repeats a run; EVENPOST_LONG_MINUTES
 * continues with other seeds and larger orders.
 */
import { expect, test } from 'vitest'
import { initBatch, processBatch } from '#contract/batches.ts'
import type { FaultPlanInput } from '#server/carriers/sandbox/fault-plan.ts'
import {
  seededRandom,
  countOpenWork,
  startDeployment,
  countLabelStates,
} from '#tests/support/deployment.ts'
import { rows } from '#tests/support/rows.ts'
import { LONG_MINUTES, runSeeds, timeoutFor } from '#tests/support/seeded-runs.ts'

const ROWS = LONG_MINUTES > 0 ? 2_000 : 250
const KILLS = LONG_MINUTES > 0 ? 24 : 4

/** One in four runs is with a carrier that keeps keys, the others with one that would sell twice. */
const faultsFor = (seed: number): FaultPlanInput => ({
  seed,
  resetBefore: 0.04,
  busy: 0.04,
  resetAfter: 0.04,
  late: 0.015,
  errorAfter: 0.02,
  nonsense: 0.02,
  silentLookUp: 0.1,
  ...(seed % 4 === 0
    ? { registersLate: 0.05, registersAfterMs: 2_500 }
    : { memory: 'lookup', registersLate: 0.02, registersAfterMs: 300, quarantineMs: 6_000 }),
})

test(
  'killed every second with the worst carrier: every label sold once, paid once, none lost',
  () =>
    runSeeds(async seed => {
      const company = await startDeployment(2, faultsFor(seed), {
        SANDBOX_CARRIER_LATENCY_MS: '600',
      })
      try {
        const app = company.webProcess()
        const ana = await app.register('Ana')
        await app.pay(ana, ROWS * 10)
        const {
          body: { orderId },
        } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
        const orderData = rows(ROWS, n => (n % 50 === 0 ? { ToStreet2: 'SANDBOX REFUSE' } : {}))
        const sent = await app.call(
          processBatch,
          { params: { userId: ana.user._id }, body: { orderId, orderData } },
          ana.token,
        )
        expect(sent.status, sent.body.message).toBe(202)

        await company.killRandomly(seededRandom(seed), KILLS)
        await expect
          .poll(() => countOpenWork(company.database), { timeout: 480_000, interval: 200 })
          .toBe(0)
        expect(await countLabelStates(company.database)).toEqual({
          purchased: ROWS - ROWS / 50,
          failed: ROWS / 50,
        })
        expect(await company.stopAndFindDiscrepancies()).toEqual([])
      } finally {
        await company.destroy()
      }
    }),
  timeoutFor(1_200_000),
)
