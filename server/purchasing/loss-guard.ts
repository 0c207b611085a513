/** What the operator may lose per label and per day (docs/carriers.md#losses). */
import { cents, usd } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Shipment } from '#server/carriers/port.ts'
import { lockLosses, pauseForAdministrator } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { insertLosses, sumDayLosses } from './loss-store.ts'
import type { LabelLoss } from './loss-store.ts'
import type { PurchaseClaim } from './queue-store.ts'
import { lossOf } from './rules.ts'
import type { Verdict } from './rules.ts'

/** The shipment of a claim with the most that it may cost. */
export const shipmentOf = (
  { config: { maxLossPerLabel } }: LabelContext,
  claim: PurchaseClaim,
): Shipment => ({
  ...claim,
  maxCost: maxLossPerLabel === null ? null : cents(claim.price + maxLossPerLabel),
})

/**
 * Records labels above the ceiling, and pauses purchases when those of a day lost too much. Lock
 * order: last, as it locks the account's budget row.
 */
export async function recordLosses(
  { carrier: { account }, config }: LabelContext,
  tx: Tx,
  ended: { claim: PurchaseClaim; verdict: Verdict }[],
): Promise<LabelLoss[]> {
  const losses = ended.flatMap(({ claim: { id, round, price }, verdict }): LabelLoss[] => {
    const loss = lossOf(verdict, price, config.maxLossPerLabel)
    return loss ? [{ ...loss, orderId: id, round }] : []
  })
  if (losses.length === 0) return []
  await insertLosses(tx, account, losses)
  const most = config.maxLossPerDay
  if (most !== null && losses.some(({ outcome }) => outcome === 'bought')) {
    const lost = await sumDayLosses(tx, account, await lockLosses(tx, account))
    if (lost > most) await pauseForAdministrator(tx, account, pauseReason(lost, most))
  }
  return losses
}

const pauseReason = (lost: Cents, most: Cents): string =>
  `Labels sold in the last 24 hours cost ${usd(lost)} more than their prices; MAX_LOSS_PER_DAY is ${usd(most)}. `
  + 'Correct the prices of their services before you resume'
