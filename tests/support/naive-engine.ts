import { askToBuy } from '#server/carriers/ask.ts'
import { insertTries } from '#server/carriers/store.ts'
import { claimQueued } from '#server/orders/queue-store.ts'
import { LEASE_MS } from '#server/orders/reconcile.ts'
import { settleAnswers } from '#server/orders/settle.ts'
import type { WithOrders } from '#server/orders/settle.ts'

/**
 * How labels are bought by whoever has not thought about it: what breaks is tried again until it works. The same queue, the same
 * ledger, no question afterwards. Here so that a test can show what it costs; whoever finds nothing wrong with it finds nothing.
 */
export async function buyNaively(house: WithOrders): Promise<void> {
  for (;;) {
    const claims = await house.database.tx(async tx => {
      const taken = await claimQueued(tx, house.carrier.account, 50, LEASE_MS, 0)
      await insertTries(
        tx,
        house.carrier.account,
        taken.map(claim => ({ ...claim, orderId: claim.id })),
      )
      return taken
    })
    if (claims.length === 0) return
    await settleAnswers(
      house,
      await Promise.all(
        claims.map(async claim => {
          for (;;) {
            const attempt = { reference: String(claim.id), round: claim.round }
            const outcome = await askToBuy(
              house.carrier,
              attempt,
              claim,
              house.config.carrierTimeoutMs,
            )
            if (outcome.ok || outcome.kind === 'permanent') return { claim, outcome }
          }
        }),
      ),
    )
  }
}
