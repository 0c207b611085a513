import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { LaterCharges } from '#server/orders/details-rules.ts'
import type { OrderRecord } from '#server/orders/rules.ts'
import type { CorrectionRow } from './order-timeline.ts'

/**
 * `corrected`: what the customer paid since the purchase less what the carrier charged since. `margin`: by the books, as in
 * the reports; null where nothing was bought, or the cost is not known.
 */
export type LabelEarnings = { corrected: Cents; margin: Cents | null }

type EarningSources = {
  order: Pick<OrderRecord, 'state' | 'price'>
  /** Charged by the carrier at the purchase. */
  cost: Cents | null
  corrections: readonly Pick<CorrectionRow, 'amount'>[]
  later: Pick<LaterCharges, 'transfers'>
}

export function earningsOf({ order, cost, corrections, later }: EarningSources): LabelEarnings {
  const ofCarrier = corrections.reduce((sum, { amount }) => sum + amount, 0)
  const ofCustomer = later.transfers.reduce(
    (sum, { kind, cents: amount }) => sum + (kind === 'carrier_charge' ? amount : -amount),
    0,
  )
  const corrected = cents(ofCustomer - ofCarrier)
  const sale = saleOf(order, cost)
  return { corrected, margin: sale === null ? null : cents(sale + corrected) }
}

/** Of a voided label, price and cost went back. */
function saleOf({ state, price }: EarningSources['order'], cost: Cents | null): number | null {
  if (state === 'voided') return 0
  return (state === 'purchased' || state === 'voiding') && cost !== null ? price - cost : null
}
