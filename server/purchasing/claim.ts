import { claimWithBudget } from '#server/carriers/rate-limit.ts'
import { namesOfOwnCarrierAccount, rememberCalls } from '#server/carriers/service.ts'
import { saleScopeOf } from '#server/carriers/sources.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Seller } from './claim-store.ts'
import type { PurchaseClaim } from './queue-store.ts'

/** The claim of a worker, also for measurements. */
export { claimQueued } from './claim-store.ts'

/** Commit before calling the carrier: the recorded calls are evidence after a crash. */
export async function claimToBuy(
  tx: Tx,
  ctx: LabelContext,
  most: number,
  claim: (seller: Seller, available: number) => Promise<PurchaseClaim[]>,
): Promise<PurchaseClaim[]> {
  const { carrier } = ctx
  const claims = await claimWithBudget(tx, carrier, 'buy', most, async available =>
    claim({ names: namesOfOwnCarrierAccount(ctx), scope: await saleScopeOf(ctx, tx) }, available),
  )
  if (claims.length > 0)
    rememberCalls(
      tx,
      claims.map(({ id, round, attempt, fence }) => ({ orderId: id, round, attempt, fence })),
    )
  return claims
}
