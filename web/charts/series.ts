/** Values of several names over days: how they stack, and what they add up to. Pure. */
import { withMinus } from '#web/ui/money-text.ts'

/** `values`: one per day, in pieces or dollars. */
export type Series = { key: string; name: string; values: readonly number[] }

/** Names that a chart can tell apart by its fills. */
const MAX_SERIES = 4

const inCents = (value: number): number => Math.round(value * 100) / 100

/** Sums in whole cents, so that amounts stay exact. */
export const sumOf = (values: readonly number[]): number =>
  values.reduce((cents, value) => cents + Math.round(value * 100), 0) / 100

/**
 * At most `MAX_SERIES` series: the first ones as they are, the rest as one named `otherName`. Those
 * without any value are left out.
 */
export function foldSeries(series: readonly Series[], otherName: string): Series[] {
  const used = series.filter(({ values }) => values.some(value => value !== 0))
  if (series.length <= MAX_SERIES) return used
  const rest = series.slice(MAX_SERIES - 1)
  const values = rest[0]!.values.map((_, day) => sumOf(rest.map(one => one.values[day] ?? 0)))
  const other: Series = { key: OTHER_KEY, name: otherName, values }
  return [...used.filter(one => !rest.includes(one)), ...(values.some(Boolean) ? [other] : [])]
}
export const OTHER_KEY = 'other'

/** Of each day and the days before it, at most `span` together, in whole cents. */
export const trailingMeans = (values: readonly number[], span: number): number[] =>
  values.map((_, day) => {
    const part = values.slice(Math.max(0, day + 1 - span), day + 1)
    return inCents(sumOf(part) / part.length)
  })

export const dayTotals = (series: readonly Series[], days: number): number[] =>
  Array.from({ length: days }, (_, day) => sumOf(series.map(({ values }) => values[day] ?? 0)))

/** The bars of a day, the first series at the bottom. A negative value lowers nothing: it counts as 0. */
export function stackOf(
  series: readonly Series[],
  day: number,
): { key: string; from: number; to: number }[] {
  let from = 0
  return series.flatMap(({ key, values }) => {
    const value = Math.max(0, values[day] ?? 0)
    if (value === 0) return []
    const bar = { key, from, to: inCents(from + value) }
    from = bar.to
    return [bar]
  })
}

/** The days with the highest value, at least `apart` days from each other; none where they are closer or all are 0. */
export function highestDays(totals: readonly number[], apart: number): number[] {
  const value = Math.max(0, ...totals)
  const days = totals.flatMap((total, day) => (value > 0 && total === value ? [day] : []))
  const hasRoom = days.every((day, index) => index === 0 || day - days[index - 1]! >= apart)
  return hasRoom ? days : []
}

/** The highest day, its value, and how many days have it; null where all days are 0. The latest of equal days. */
export function peakOf(
  totals: readonly number[],
): { day: number; value: number; count: number } | null {
  const value = Math.max(0, ...totals)
  if (value === 0) return null
  const count = totals.filter(total => total === value).length
  return { day: totals.lastIndexOf(value), value, count }
}

const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })
const SMALLEST_SHOWN_SHARE = 0.001

/** 0.0214 becomes '2.1%'. A share too small to show is '<0.1%', because it is not zero. */
export function shareText(part: number): string {
  if (part !== 0 && Math.abs(part) < SMALLEST_SHOWN_SHARE / 2)
    return part > 0
      ? `<${PERCENT.format(SMALLEST_SHOWN_SHARE)}`
      : `>${withMinus(PERCENT.format(-SMALLEST_SHOWN_SHARE))}`
  return withMinus(PERCENT.format(part))
}
