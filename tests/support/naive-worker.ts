import { callPurchase } from '#server/carriers/calls.ts'
import { insertCarrierCalls } from '#server/carriers/store.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import { claimQueued } from '#server/purchasing/queue-store.ts'
import { settlePurchases } from '#server/purchasing/settle.ts'

/**
 * How labels are bought by whoever has not thought about it: what breaks is tried again until it works. The same queue, the same
 * ledger, no question afterwards. Here so that a test can show what it costs; whoever finds nothing wrong with it finds nothing.
 */
export async function runNaiveWorker(house: LabelContext): Promise<void> {
  for (;;) {
    const claims = await house.database.tx(async tx => {
      const taken = await claimQueued(tx, house.carrier.account, 50, LABEL_LEASE_MS, 0)
      await insertCarrierCalls(
        tx,
        house.carrier.account,
        taken.map(claim => ({ ...claim, orderId: claim.id })),
      )
      return taken
    })
    if (claims.length === 0) return
    await settlePurchases(
      house,
      await Promise.all(
        claims.map(async claim => {
          for (;;) {
            const attempt = { reference: String(claim.id), round: claim.round }
            const outcome = await callPurchase(
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
