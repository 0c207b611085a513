/** Values of the last days for a sparkline. Pure. */
export type Trend = { values: number[]; sum: number; max: number; today: number }

/** One day alone is a figure, not a trend. */
export const hasSeveralDays = ({ values }: Trend): boolean =>
  values.filter(value => value !== 0).length > 1

/** `days` has a value per day, oldest first, in dollars or pieces. Null when all are 0. */
export function trendFromDays(days: readonly number[] | undefined): Trend | null {
  if (!days?.some(value => value !== 0)) return null
  const sum = days.reduce((cents, value) => cents + Math.round(value * 100), 0) / 100
  return { values: [...days], sum, max: Math.max(...days), today: days.at(-1)! }
}
