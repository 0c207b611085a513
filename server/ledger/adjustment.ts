import { cents, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { publishLowBalance } from './low-balance.ts'
import { transferKeys } from './rules.ts'
import { postTransfers } from './service.ts'
import { lockAvailable } from './store.ts'

/** `auditId`: the audit entry of the adjustment, from which the transfer's key follows. */
export type AdjustmentDetails = { actorId: number; reason: string; auditId: number }

/**
 * Sets the available balance to `target` with one transfer of the difference, computed under the
 * balance's lock; holds stay. Returns the signed difference.
 */
export async function adjustBalanceTo(
  tx: Tx,
  ownerId: number,
  target: Cents,
  by: AdjustmentDetails,
): Promise<Cents> {
  const available = await lockAvailable(tx, ownerId)
  const difference = cents(target - available)
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
  if (difference < 0) await publishLowBalance(tx, ownerId, available, cents(-difference))
  return difference
}
