import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { publishLowBalance } from './low-balance.ts'
import { insufficientBalanceText, transferKeys } from './rules.ts'
import { postTransfers } from './service.ts'

export { lockFreeWallets } from './store.ts'

/** `before`, `after`: what is available. */
export type OrderHold = { ownerId: number; amount: Cents; before: Cents; after: Cents }

/** The hold of an amount that a locked wallet covers. Throws Refusal 402 as `hold` does. */
export function holdOn(
  wallets: ReadonlyMap<number, Cents>,
  ownerId: number,
  amount: Cents,
): OrderHold {
  const before = wallets.get(ownerId)!
  if (before < amount)
    throw new Refusal('insufficient_balance', insufficientBalanceText(amount, before))
  return { ownerId, amount, before, after: cents(before - amount) }
}

/** Posts the holds of new orders, each in its first round. */
export async function holdOrders(
  tx: Tx,
  holds: readonly (OrderHold & { orderId: number })[],
): Promise<void> {
  await postTransfers(
    tx,
    holds.map(({ ownerId, amount, orderId }) => ({
      ownerId,
      kind: 'hold' as const,
      cents: amount,
      key: transferKeys.holdOrder(orderId, 1),
      orderId,
      round: 1,
    })),
  )
  for (const { ownerId, before, amount } of holds)
    await publishLowBalance(tx, ownerId, before, amount)
}
