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

/** The service's own limit, else that of the installation; null without one. */
const maxLossOf = (
  { maxLossPerLabel }: LabelContext['config'],
  { maxLoss }: PurchaseClaim,
): Cents | null => maxLoss ?? maxLossPerLabel

/** The shipment of a claim with the most that it may cost. */
export function shipmentOf({ config }: LabelContext, claim: PurchaseClaim): Shipment {
  const maxLoss = maxLossOf(config, claim)
  return { ...claim, maxCost: maxLoss === null ? null : cents(claim.price + maxLoss) }
}

/**
 * Records labels above the ceiling. Purchases pause after a sale above the service's own limit, and
 * when those of a day lost too much. Lock order: last, as it locks the account's budget row.
 */
export async function recordLosses(
  { carrier: { account }, config }: LabelContext,
  tx: Tx,
  ended: { claim: PurchaseClaim; verdict: Verdict }[],
): Promise<LabelLoss[]> {
  const above = ended.flatMap(({ claim, verdict }): AboveCeiling[] => {
    const { id, round, price, maxLoss } = claim
    const loss = lossOf(verdict, price, maxLossOf(config, claim))
    return loss ? [{ loss: { ...loss, orderId: id, round }, ownLimit: maxLoss }] : []
  })
  if (above.length === 0) return []
  const losses = above.map(({ loss }) => loss)
  await insertLosses(tx, account, losses)
  const bought = above.filter(({ loss }) => loss.outcome === 'bought')
  if (bought.length === 0) return losses
  const since = await lockLosses(tx, account)
  const reason =
    ownLimitReason(bought)
    ?? dayReason(await sumDayLosses(tx, account, since), config.maxLossPerDay)
  if (reason !== null) await pauseForAdministrator(tx, account, reason)
  return losses
}

/** `ownLimit`: of the label's service; null where that of the installation counted. */
type AboveCeiling = { loss: LabelLoss; ownLimit: Cents | null }

function ownLimitReason(bought: readonly AboveCeiling[]): string | null {
  const found = bought.find(({ ownLimit }) => ownLimit !== null)
  if (!found) return null
  const { orderId, price, cost } = found.loss
  return (
    `Label ${orderId} cost ${usd(cents(cost - price))} more than its price; the limit of its service is ${usd(found.ownLimit!)}. `
    + 'Correct the prices of the service before you resume'
  )
}

const CORRECT_PRICES = 'Correct the prices of their services before you resume'

const dayReason = (lost: Cents, most: Cents | null): string | null =>
  most === null || lost <= most
    ? null
    : `Labels sold in the last 24 hours cost ${usd(lost)} more than their prices; MAX_LOSS_PER_DAY is ${usd(most)}. ${CORRECT_PRICES}`
