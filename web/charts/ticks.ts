/** Round values for an axis, and their texts. Pure. */
import { numberText } from '#contract/format.ts'
import { moneyText, withMinus } from '#web/ui/money-text.ts'

/** Steps of an axis: 1, 2, 2.5 or 5 times a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10]

/**
 * Round values from at most `low` to at least `high` in about `count` steps; zero is one of them.
 * `smallest`: the least step that has a meaning, such as 1 for pieces and 0.01 for dollars.
 */
export function roundTicks(low: number, high: number, count: number, smallest: number): number[] {
  const bottom = Math.min(0, low)
  const top = Math.max(0, high)
  const step = roundStep((top - bottom || smallest) / Math.max(1, count), smallest)
  const from = Math.floor(bottom / step + EPSILON)
  const to = Math.max(from + 1, Math.ceil(top / step - EPSILON))
  return Array.from({ length: to - from + 1 }, (_, index) => inCents((from + index) * step))
}
const EPSILON = 1e-9
const inCents = (value: number): number => Math.round(value * 100) / 100

function roundStep(least: number, smallest: number): number {
  if (least <= smallest) return smallest
  const power = 10 ** Math.floor(Math.log10(least) + EPSILON)
  const fits = STEPS.map(step => step * power).find(
    step =>
      step >= least - EPSILON && Math.abs(step / smallest - Math.round(step / smallest)) < EPSILON,
  )
  return fits ?? 10 * power
}

const COMPACT_USD = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
/** From here on an axis says '$25K' and '25K'. */
const COMPACT_FROM = 10_000

/** '$50', '$2.50', '$25K': cents only where the values of the axis have some. */
export function moneyTick(value: number, ticks: readonly number[]): string {
  if (ticks.some(tick => Math.abs(tick) >= COMPACT_FROM))
    return withMinus(COMPACT_USD.format(value))
  const text = moneyText(value)
  return ticks.every(Number.isInteger) ? text.replace(/\.00$/, '') : text
}

/** '50', '1,200', '25K'. */
export const countTick = (value: number, ticks: readonly number[]): string =>
  ticks.some(tick => Math.abs(tick) >= COMPACT_FROM) ? COMPACT.format(value) : numberText(value)

/** What the values of a chart are: pieces or dollars. */
export type Unit = 'count' | 'usd'

export const valueText = (value: number, unit: Unit): string =>
  unit === 'usd' ? moneyText(value) : numberText(value)

export type AxisTicks = { values: number[]; texts: string[] }

export function axisTicks(low: number, high: number, unit: Unit, count = 5): AxisTicks {
  const values = roundTicks(low, high, count, unit === 'usd' && high - low < 4 ? 0.01 : 1)
  const format = unit === 'usd' ? moneyTick : countTick
  return { values, texts: values.map(value => format(value, values)) }
}

/** Width of a figure at the size of the axis, in px. */
const FIGURE_PX = 7.5

/** Room for the longest text of an axis, in px. */
export const axisWidthPx = ({ texts }: AxisTicks): number =>
  Math.ceil(Math.max(...texts.map(text => text.length)) * FIGURE_PX) + 10
