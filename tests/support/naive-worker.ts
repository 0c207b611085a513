import { callPurchase } from '#server/carriers/calls.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import { claimQueued } from '#server/purchasing/claim-store.ts'
import { settlePurchases } from '#server/purchasing/settle.ts'

/**
 * Buys labels without look-ups: a call without an answer is repeated until it works. With the same queue and ledger it shows that
 * this buys labels twice, and that the auditor notices it.
 */
export async function runNaiveWorker(ctx: LabelContext): Promise<void> {
  const { carrier, config, database } = ctx
  for (;;) {
    const claims = await database.tx(async tx => {
      const { claims: claimed } = await claimQueued(
        tx,
        { names: [carrier.account], scope: null },
        50,
        LABEL_LEASE_MS,
        0,
      )
      return claimed
    })
    if (claims.length === 0) return
    await settlePurchases(
      ctx,
      await Promise.all(
        claims.map(async claim => {
          for (;;) {
            const attempt = { reference: String(claim.id), round: claim.round }
            const outcome = await callPurchase(carrier, attempt, claim, config.carrierTimeoutMs)
            if (outcome.ok || outcome.kind === 'permanent') return { claim, outcome }
          }
        }),
      ),
    )
  }
}
