/** Labels that waited in the queue for days, for example while purchases were paused for losses. */
import { expect, test } from 'vitest'
import { endIfReady } from '#server/batches/close.ts'
import { retryBatch } from '#server/batches/service.ts'
import { callerOf, submitBatch } from '#tests/model/batch-steps.ts'
import { advanceTime, setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { settleLabels } from '#tests/support/settle-labels.ts'
import { reconcile } from './reconcile.ts'
import { startPurchaseWorker } from './worker.ts'

const DAYS_MS = 3 * 24 * 60 * 60_000
const BUSY = {
  ok: false,
  kind: 'retryable',
  code: '429',
  message: 'The carrier is busy',
} as const

const label = async ({ database }: Simulation) =>
  (
    await database.pool.query<{ state: string; reason: string | null }>(
      'select state, reason from shipment_order',
    )
  ).rows[0]!

/** Tries for which a slow machine came too late: they count, and the carrier was not asked. */
const countTooLate = async ({ database }: Simulation): Promise<number> =>
  (await database.pool.query(`select from carrier_call where code = 'NOT_SENT'`)).rowCount!

test('a label that was not tried for days is not failed by one busy answer, in any round', async () => {
  let isBusy = true
  let calls = 0
  await withSimulation(
    {
      change: ({ carrier }) => ({
        carrier: {
          ...carrier,
          purchase: async (...args) => {
            calls++
            return isBusy ? BUSY : carrier.purchase(...args)
          },
        },
      }),
    },
    async simulation => {
      const { ctx, batches, customerIds } = simulation
      const [ana] = customerIds
      await setCustomerBalance(simulation, ana, 1_000_000)
      await submitBatch(simulation, ana, [''])
      /** Returns how often the carrier was asked, or would have been, until the label failed. */
      const triesUntilFailure = async (): Promise<number> => {
        await advanceTime(simulation, DAYS_MS)
        const before = await countTooLate(simulation)
        calls = 0
        while ((await label(simulation)).state === 'queued') {
          await startPurchaseWorker(ctx).stop()
          await advanceTime(simulation, 61_000)
        }
        await reconcile(ctx)
        expect(await label(simulation)).toEqual({
          state: 'failed',
          reason: 'The carrier is busy; not accepted within 24 hours',
        })
        await endIfReady(ctx, batches[0]!)
        return calls + (await countTooLate(simulation)) - before
      }
      expect(await triesUntilFailure()).toBe(10)
      await retryBatch(simulation.customerCtx, callerOf(ana), batches[0]!)
      expect(await triesUntilFailure()).toBe(10)
      await retryBatch(simulation.customerCtx, callerOf(ana), batches[0]!)
      isBusy = false
      await settleLabels(simulation)
      expect(await label(simulation)).toMatchObject({ state: 'purchased' })
      expect(await findDiscrepancies(simulation.database)).toEqual([])
    },
  )
})
