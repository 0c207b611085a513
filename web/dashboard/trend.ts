/** What the last days say in one line. Pure. */

/** Nothing where nothing happened: then there is no line. */
export type Trend = { values: number[]; sum: number; max: number; today: number }

/** From what happened on each day, oldest first, in dollars or pieces. */
export function trendFromDays(days: readonly number[] | undefined): Trend | null {
  if (!days?.some(value => value !== 0)) return null
  const sum = days.reduce((cents, value) => cents + Math.round(value * 100), 0) / 100
  return { values: [...days], sum, max: Math.max(...days), today: days.at(-1)! }
}
