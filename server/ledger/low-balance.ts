import { cents, dollars } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { LOW_BALANCE_DOLLARS } from '#contract/webhooks.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { publish } from '#server/platform/outbox/outbox.ts'

const THRESHOLD = cents(LOW_BALANCE_DOLLARS * 100)

/**
 * Tells the user's webhooks when a payment of `taken` takes the balance below the threshold. Call it
 * in the payment's transaction; `before` is read under the balance's lock.
 */
export async function publishLowBalance(
  tx: Tx,
  userId: number,
  before: Cents,
  taken: Cents,
): Promise<void> {
  const balance = cents(before - taken)
  if (before < THRESHOLD || balance >= THRESHOLD) return
  const data = { balance: dollars(balance), threshold: LOW_BALANCE_DOLLARS }
  await publish(tx, [{ userId, type: 'balance.low', data }])
}
