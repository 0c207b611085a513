/** A balance over time: its points, and where it ends at the recent pace. Pure. */

/** `at`: ms. `held` is reserved on top of the balance, in dollars. */
export type CurvePoint = { at: number; balance: number; held: number }

const DAY_MS = 86_400_000

/** Share of the chart's time that the forecast may take. */
const FORECAST_SHARE = 0.3

/**
 * The line from now to an empty balance at so many dollars a day, or to the end of the forecast.
 * Null without a pace or a balance.
 */
export function forecastOf(
  points: readonly CurvePoint[],
  perDay: number | null,
): { from: CurvePoint; at: number; balance: number } | null {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || perDay === null || perDay <= 0 || last.balance <= 0) return null
  const limit = last.at + Math.max(DAY_MS, (last.at - first.at) * FORECAST_SHARE)
  const empty = last.at + (last.balance / perDay) * DAY_MS
  if (empty <= limit) return { from: last, at: empty, balance: 0 }
  return { from: last, at: limit, balance: last.balance - ((limit - last.at) / DAY_MS) * perDay }
}

/** The index of the point that is nearest in time. */
export function nearestPoint(points: readonly CurvePoint[], at: number): number {
  let best = 0
  points.forEach((point, index) => {
    if (Math.abs(point.at - at) < Math.abs(points[best]!.at - at)) best = index
  })
  return best
}

/**
 * Where an axis names days: at noon in the reader's time zone, in the middle of what happened on that day. Evenly spaced,
 * at least `leastMs` apart, one of them the day of `now`.
 */
export function noonTicks(from: number, to: number, now: number, leastMs: number): number[] {
  const noon = new Date(now)
  noon.setHours(12, 0, 0, 0)
  // Before noon the axis of today may not reach it.
  const today = noon.getTime() <= to ? noon : new Date(now)
  const dayAt = (days: number): number => new Date(today).setDate(today.getDate() + days)
  const step = Math.max(1, Math.ceil(leastMs / DAY_MS))
  const ticks: number[] = []
  for (let days = 0; dayAt(days) >= from; days -= step) ticks.unshift(dayAt(days))
  for (let days = step; dayAt(days) <= to; days += step) ticks.push(dayAt(days))
  return ticks
}
