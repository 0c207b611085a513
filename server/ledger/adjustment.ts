import { cents, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { transferKeys } from './rules.ts'
import { postTransfers } from './service.ts'
import { lockAvailable } from './store.ts'

/** Who sets a balance and why; `entry`: the line of the audit that says so, from which the transfer's key follows. */
export type AdjustmentDetails = { actorId: number; reason: string; auditId: number }

/**
 * Sets what a user may spend to `wanted`: the difference from what is there, found under the balance's lock, is one transfer; none
 * when there is none. What is held stays held. Returns the difference, signed.
 */
export async function adjustBalanceTo(
  tx: Tx,
  ownerId: number,
  wanted: Cents,
  by: AdjustmentDetails,
): Promise<Cents> {
  const difference = cents(wanted - (await lockAvailable(tx, ownerId)))
  if (difference === ZERO) return ZERO
  await postTransfers(tx, [
    {
      ownerId,
      kind: difference > 0 ? 'adjust_up' : 'adjust_down',
      cents: cents(Math.abs(difference)),
      key: transferKeys.adjustment(by.auditId),
      actorId: by.actorId,
      reason: by.reason,
    },
  ])
  return difference
}
