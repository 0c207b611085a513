/** The figures of contract/admin.ts. Pure. */
import { cents, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { daysOfReader } from '#server/platform/local-days.ts'
import type { LocalDay, Reader } from '#server/platform/local-days.ts'

export const TOTALLED_KINDS = [
  'capture',
  'release',
  'refund',
  'deposit',
  'reversal',
  'carrier_charge',
  'carrier_credit',
  'carrier_cost',
  'carrier_cost_back',
] as const
export type TotalledKind = (typeof TOTALLED_KINDS)[number]

/** `cost`: charged by the carrier for the labels. */
export type TransferTotals = { transfers: number; cents: Cents; cost: Cents }

const NO_TRANSFERS: TransferTotals = { transfers: 0, cents: ZERO, cost: ZERO }

/** `failureRate`: failed of all settled labels, 0 to 1; null if none was settled. */
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

export function figuresOf(totals: Partial<Record<TotalledKind, TransferTotals>>): PeriodFigures {
  const {
    capture = NO_TRANSFERS,
    release = NO_TRANSFERS,
    refund = NO_TRANSFERS,
    deposit = NO_TRANSFERS,
    reversal = NO_TRANSFERS,
    carrier_charge: charge = NO_TRANSFERS,
    carrier_credit: credit = NO_TRANSFERS,
    carrier_cost: cost = NO_TRANSFERS,
    carrier_cost_back: costBack = NO_TRANSFERS,
  } = totals
  const revenue = cents(capture.cents - refund.cents + charge.cents - credit.cents)
  const carrierCost = cents(capture.cost - refund.cost + cost.cents - costBack.cents)
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

const BOOK_MONTHS = 13
const LONGEST_MONTH = 31

/** The first days of a reader's last months, this one included, oldest first. */
export const monthsOf = (now: Date, reader: Reader): LocalDay[] =>
  daysOfReader(now.getTime(), BOOK_MONTHS * LONGEST_MONTH, reader)
    .filter(({ date }) => date.endsWith('-01'))
    .slice(-BOOK_MONTHS)

/** `adjusted`: by administrators, down is negative. */
export type MonthTotals = {
  from: Date
  totals: Partial<Record<TotalledKind, TransferTotals>>
  adjusted: Cents
}

/** See `BooksMonth` of contract/admin.ts. */
export type BooksMonth = PeriodFigures & {
  from: Date
  opening: Cents
  charged: Cents
  refunded: Cents
  adjusted: Cents
  closing: Cents
}

/** Newest first, counted back from `liabilities`, all balances of now. Months before the first movement are left out. */
export function booksOf(months: readonly MonthTotals[], liabilities: Cents): BooksMonth[] {
  const books: BooksMonth[] = []
  let closing = liabilities
  for (const { from, totals, adjusted } of months.toReversed()) {
    const figures = figuresOf(totals)
    const refunded = cents(centsOf(totals.refund) + centsOf(totals.carrier_credit))
    const charged = cents(figures.revenue + refunded)
    const opening = cents(closing - figures.depositsSettled + charged - refunded - adjusted)
    books.push({ ...figures, from, opening, charged, refunded, adjusted, closing })
    closing = opening
  }
  const first = books.findLastIndex(
    one => one.opening !== 0 || one.closing !== 0 || one.depositCount > 0 || one.adjusted !== 0,
  )
  return books.slice(0, first + 1)
}

const centsOf = (one: TransferTotals = NO_TRANSFERS): Cents => one.cents

export type PeriodStart = { days: number; from: Date }

/** Where periods of `days` of a reader's days begin, today included: whole quarters of an hour, as the stored sums. */
export function periodStartsOf(now: Date, days: readonly number[], reader: Reader): PeriodStart[] {
  const all = daysOfReader(now.getTime(), Math.max(...days), reader)
  return days.map(count => ({ days: count, from: new Date(all.at(-count)!.at) }))
}
