import { expect } from 'vitest'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import { reconcile } from '#server/purchasing/reconcile.ts'
import { startPurchaseWorker } from '#server/purchasing/worker.ts'
import { advanceTime } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'

/**
 * Turns of a worker until no label is open. A slow machine may come too late to ask for some in its first turn, or have no answer in
 * time; those are asked for, or looked up, once their leases have ended.
 */
export async function settleLabels(simulation: Simulation): Promise<void> {
  const { ctx, database } = simulation
  const turn = (): Promise<void> => startPurchaseWorker(ctx).stop()
  const countOpen = async () =>
    (
      await database.pool.query(
        `select from shipment_order where state in ('queued', 'purchasing', 'unknown')`,
      )
    ).rowCount
  await turn()
  await expect
    .poll(async () => {
      const open = await countOpen()
      if (open === 0) return open
      await advanceTime(simulation, LABEL_LEASE_MS + 1_000)
      await reconcile(ctx)
      await turn()
      return countOpen()
    })
    .toBe(0)
}
