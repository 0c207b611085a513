import { claimWithBudget } from '#server/carriers/rate-limit.ts'
import { insertCarrierCalls } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { PurchaseClaim } from './queue-store.ts'

/** Commit before calling the carrier: the recorded calls are evidence after a crash. */
export async function claimToBuy(
  tx: Tx,
  { carrier }: LabelContext,
  most: number,
  claim: (available: number) => Promise<PurchaseClaim[]>,
): Promise<PurchaseClaim[]> {
  const claims = await claimWithBudget(tx, carrier, 'buy', most, claim)
  await insertCarrierCalls(
    tx,
    carrier.account,
    claims.map(claimed => ({ ...claimed, orderId: claimed.id })),
  )
  return claims
}
