/** What the house's figures mean, as contract/admin.ts says it. Pure. */
import { cents, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'

/** Transfers that make figures; holds and adjustments are none. */
export const TOTALLED_KINDS = ['capture', 'release', 'refund', 'deposit', 'reversal'] as const
export type TotalledKind = (typeof TOTALLED_KINDS)[number]

/** So many transfers of so many cents; `cost`: what the carrier took for their labels. */
export type TransferTotals = { transfers: number; cents: Cents; cost: Cents }

const NO_TRANSFERS: TransferTotals = { transfers: 0, cents: ZERO, cost: ZERO }

/** `failureRate`: failed labels of all that were settled, 0 to 1; null where nothing was settled. */
export type PeriodFigures = {
  labels: number
  failed: number
  voided: number
  revenue: Cents
  carrierCost: Cents
  margin: Cents
  failureRate: number | null
  depositsSettled: Cents
  depositCount: number
  takenBack: Cents
}

/** The figures of a period from what has moved in it; a kind that is missing has not. */
export function figuresOf(moved: Partial<Record<TotalledKind, TransferTotals>>): PeriodFigures {
  const {
    capture = NO_TRANSFERS,
    release = NO_TRANSFERS,
    refund = NO_TRANSFERS,
    deposit = NO_TRANSFERS,
    reversal = NO_TRANSFERS,
  } = moved
  const revenue = cents(capture.cents - refund.cents)
  const carrierCost = cents(capture.cost - refund.cost)
  const settled = capture.transfers + release.transfers
  return {
    labels: capture.transfers,
    failed: release.transfers,
    voided: refund.transfers,
    revenue,
    carrierCost,
    margin: cents(revenue - carrierCost),
    failureRate: settled > 0 ? release.transfers / settled : null,
    depositsSettled: cents(deposit.cents - reversal.cents),
    depositCount: deposit.transfers,
    takenBack: reversal.cents,
  }
}

/** Sums are kept by quarters of an hour, and all clocks of the world are whole ones from UTC; any other offset becomes the nearest. */
export const toQuarterHour = (offsetMinutes: number): number => Math.round(offsetMinutes / 15) * 15
