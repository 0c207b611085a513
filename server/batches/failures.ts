import type { BatchFailures } from '#contract/batch-failures.ts'
import type { Cents } from '#contract/money.ts'
import { selectFailureReasons, sumUnbought } from '#server/orders/service.ts'
import type { Db } from '#server/platform/database/database.ts'

/** The reason of a failed label for which the carrier gave none. */
export const CARRIER_REFUSED = 'The carrier refused this label'

const MAX_REASONS = 3

/** A failed label's hold is released in the transaction that fails it; an unknown one's stays. */
export async function describeFailures(
  db: Db,
  batchId: number,
): Promise<Omit<BatchFailures, 'released' | 'held'> & { released: Cents; held: Cents }> {
  const [totals, found] = await Promise.all([
    sumUnbought(db, batchId),
    selectFailureReasons(db, batchId, MAX_REASONS),
  ])
  const reasons = found.map(({ reason, count }) => ({ reason: reason ?? CARRIER_REFUSED, count }))
  const listed = reasons.reduce((sum, { count }) => sum + count, 0)
  return {
    reasons,
    // A label may be settled between the two reads.
    otherCount: Math.max(0, totals.failed - listed),
    editableCount: totals.editable,
    released: totals.failedPrice,
    checkingCount: totals.checking,
    held: totals.checkingPrice,
  }
}
