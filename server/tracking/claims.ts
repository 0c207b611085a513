/** Claims parcels that are due, within the calls that the carrier account has left. */
import { claimWithBudget } from '#server/carriers/rate-limit.ts'
import { namesOfOtherCarrierAccounts, namesOfOwnCarrierAccount } from '#server/carriers/service.ts'
import type { CarrierAccountNames } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { Tx } from '#server/platform/database/database.ts'

export const PARCELS_AT_ONCE = 8

/** `isSkipped`: only postponed, because there is nothing to ask or its account is not connected. */
export type Postponable = { isSkipped: boolean }

type ClaimStatement<Claim> = (
  tx: Tx,
  accounts: CarrierAccountNames,
  others: readonly string[],
  limit: number,
  leaseMs: number,
) => Promise<Claim[]>

/** `isDone`: nothing more is due, or the account has no calls left. Skipped parcels cost no call. */
export async function claimDueParcels<Claim extends Postponable>(
  ctx: LabelContext,
  statement: ClaimStatement<Claim>,
  leaseMs: number,
): Promise<{ claims: Claim[]; isDone: boolean }> {
  const toAsk = (claims: Claim[]): Claim[] => claims.filter(({ isSkipped }) => !isSkipped)
  const taken = await ctx.database.tx(tx =>
    claimWithBudget(
      tx,
      ctx.carrier,
      'track',
      PARCELS_AT_ONCE,
      available =>
        statement(
          tx,
          namesOfOwnCarrierAccount(ctx),
          namesOfOtherCarrierAccounts(ctx),
          available,
          leaseMs,
        ),
      { counted: toAsk },
    ),
  )
  return { claims: toAsk(taken), isDone: taken.length === 0 }
}
