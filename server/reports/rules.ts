/** From sums to the figures of contract/reports.ts. Times are milliseconds since 1970. Pure. */
import { cents, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { ceilTo, DAY_MS, floorTo, QUARTER_MS } from '#server/platform/local-days.ts'

/** Of labels bought and voided; `cost`: what the carrier charged for them. */
export type Figures = {
  labels: number
  charged: Cents
  cost: Cents
  voided: number
  refunded: Cents
  refundedCost: Cents
}

export const NO_FIGURES: Figures = {
  labels: 0,
  charged: ZERO,
  cost: ZERO,
  voided: 0,
  refunded: ZERO,
  refundedCost: ZERO,
}

export const addFigures = (a: Figures, b: Figures): Figures => ({
  labels: a.labels + b.labels,
  charged: cents(a.charged + b.charged),
  cost: cents(a.cost + b.cost),
  voided: a.voided + b.voided,
  refunded: cents(a.refunded + b.refunded),
  refundedCost: cents(a.refundedCost + b.refundedCost),
})

export const totalOf = (figures: readonly Figures[]): Figures =>
  figures.reduce(addFigures, NO_FIGURES)

/** Sums by a key, in the order in which the keys appear. */
export function sumBy<Row extends Figures>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Map<string, Figures> {
  const sums = new Map<string, Figures>()
  for (const row of rows) {
    const key = keyOf(row)
    sums.set(key, addFigures(sums.get(key) ?? NO_FIGURES, row))
  }
  return sums
}

export type TradeFigures = { revenue: Cents; carrierCost: Cents; margin: Cents }

export function tradeOf(figures: Figures): TradeFigures {
  const revenue = cents(figures.charged - figures.refunded)
  const carrierCost = cents(figures.cost - figures.refundedCost)
  return { revenue, carrierCost, margin: cents(revenue - carrierCost) }
}

/** Days of UTC that customers are summed over, besides single days. */
export const BLOCK_DAYS = 16
const BLOCK_MS = BLOCK_DAYS * DAY_MS

/** Where whole days of UTC and whole blocks of them begin in a period that begins at `from`. */
export function wholePeriods(from: number): { day: number; block: number } {
  const day = ceilTo(from, DAY_MS)
  return { day, block: ceilTo(day, BLOCK_MS) }
}

/** A period as few large sums instead of many small ones: quarters of an hour before `wholeDay`, `wholeDays` and `wholeBlocks`. */
export type Periods = { from: Date; wholeDay: Date; wholeDays: Date[]; wholeBlocks: Date[] }

/** From `from` until after `now`: the clock may have been set back. */
export function periodsSince(from: number, now: number): Periods {
  const { day, block } = wholePeriods(from)
  return {
    from: new Date(from),
    wholeDay: new Date(day),
    wholeDays: startsEvery(DAY_MS, day, block),
    wholeBlocks: startsEvery(BLOCK_MS, block, now + BLOCK_MS),
  }
}

/** Days of UTC and blocks of them. */
export type Cover = { days: Date[]; blocks: Date[] }

/** What `periods` lie in: blocks alone, or days as far as blocks would begin earlier. */
export const coversOf = ({ from, wholeDays, wholeBlocks }: Periods): [Cover, Cover] => {
  const at = from.getTime()
  const [day, block] = [floorTo(at, DAY_MS), floorTo(at, BLOCK_MS)]
  const add = (start: number, starts: Date[]): Date[] =>
    starts[0]?.getTime() === start ? starts : [new Date(start), ...starts]
  return [
    { days: [], blocks: add(block, wholeBlocks) },
    { days: add(day, wholeDays), blocks: wholeBlocks },
  ]
}

const startsEvery = (step: number, first: number, end: number): Date[] =>
  Array.from(
    { length: Math.max(0, Math.ceil((end - first) / step)) },
    (_, at) => new Date(first + at * step),
  )

/** The quarter of an hour in which `at` lies. */
export const quarterOf = (at: number): number => floorTo(at, QUARTER_MS)

export type BalancePoint = { at: number; available: Cents; held: Cents }
export type DepositDot = { at: number; amount: Cents }

/** Ascending, without repeats: midnights, the ends of quarters with a deposit, and now. */
export const balanceMoments = (
  midnights: readonly number[],
  depositQuarters: readonly number[],
  now: number,
): number[] =>
  [...new Set([...midnights, ...depositQuarters.map(quarter => dotOf(quarter, now)), now])].sort(
    (a, b) => a - b,
  )

/** Where the dot of a deposit stands: at the end of its quarter, so that the curve passes it. */
export const dotOf = (quarter: number, now: number): number => Math.min(quarter + QUARTER_MS, now)

/**
 * The balance at each of `moments`, counted back from `latest`, the balance at the last one.
 * `changes`: by the place of the moment that they follow.
 */
export function balancePoints(
  moments: readonly number[],
  changes: readonly { after: number; available: Cents; held: Cents }[],
  latest: { available: Cents; held: Cents },
): BalancePoint[] {
  const last = moments.length - 1
  const points: BalancePoint[] = []
  let { available, held } = latest
  for (let index = last; index >= 0; index--) {
    points.push({ at: moments[index]!, available, held })
    for (const change of changes) {
      // What came while the report was read belongs to its end.
      if (Math.min(change.after, last - 1) !== index - 1) continue
      available = cents(available - change.available)
      held = cents(held - change.held)
    }
  }
  return points.toReversed()
}

/** `spent` over `days` days. */
export type Pace = { days: number; spent: Cents }

/**
 * The pace of what was `spent` in the last `most` days, or since the first label where that is
 * later: over a day at least. Null where nothing was spent.
 */
export function paceOf(
  { spent, since }: { spent: Cents; since: number | null },
  now: number,
  most: number,
): Pace | null {
  if (since === null || spent <= 0) return null
  return { days: Math.min(most, Math.max(1, Math.ceil((now - since) / DAY_MS))), spent }
}

export const perDay = ({ days, spent }: Pace): Cents => cents(Math.round(spent / days))

/** Whole days that `balance` lasts. */
export const daysLeft = (balance: Cents, { days, spent }: Pace): number =>
  Math.max(0, Math.floor((balance * days) / spent))
