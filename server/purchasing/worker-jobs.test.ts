import { expect, test } from 'vitest'
import { submitRows } from '#tests/model/batch-steps.ts'
import { setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import { startPurchaseWorker } from './worker.ts'

const DAY_MS = 24 * 60 * 60_000

test('unused labels are voided in time although parcels are due without end', async () => {
  const asked = new Set<string>()
  let isOver = false
  await withSimulation(
    {
      change: ({ carrier, config }) => ({
        config: { ...config, voidUnused: true },
        carrier: {
          ...carrier,
          voidWindowMs: 30 * DAY_MS,
          firstTrackMs: () => 1,
          // Each parcel is due again at once.
          track: async ({ attempt }) => {
            asked.add(attempt.reference)
            await new Promise(done => setTimeout(done, 20))
            return {
              status: 'pre_transit',
              detail: null,
              at: null,
              nextCheckMs: isOver ? DAY_MS : 1,
            }
          },
        },
      }),
    },
    async simulation => {
      const {
        database: { pool },
        customerIds: [ana],
      } = simulation
      await setCustomerBalance(simulation, ana, 1_000_000)
      await submitRows(simulation, 20)
      const worker = startPurchaseWorker(simulation.ctx)
      try {
        await expect.poll(() => asked.size).toBe(20)
        await pool.query(
          `update shipment_order set purchased_at = purchased_at - interval '29 days' where state = 'purchased'`,
        )
        await pool.query('update parcel_tracking set auto_void_at = now()')
        const waiting = async () =>
          (
            await pool.query<{ labels: number }>(
              'select count(*)::int as labels from parcel_tracking where auto_void_at is not null',
            )
          ).rows[0]!.labels
        await expect.poll(waiting).toBe(0)
      } finally {
        isOver = true
        await worker.stop()
      }
    },
  )
})
