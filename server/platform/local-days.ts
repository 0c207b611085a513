/** Days as a reader’s calendar has them. Times are milliseconds since 1970. Pure. */
const MINUTE_MS = 60_000
export const QUARTER_MS = 15 * MINUTE_MS
export const DAY_MS = 86_400_000

/** `date`: '2026-11-20'; `at`: when it begins. */
export type LocalDay = { date: string; at: number }

/**
 * The last `days` days of a time zone, today included, oldest first. Midnights are whole quarters of
 * an hour in all time zones of today, also across a clock change.
 */
export function localDays(now: number, days: number, timeZone: string): LocalDay[] {
  return daysOf(now, days, wallClock(timeZone))
}

function daysOf(now: number, days: number, clock: WallClock): LocalDay[] {
  const today = floorTo(clock(now), DAY_MS)
  return Array.from({ length: days }, (_, index) => {
    const midnight = today - (days - 1 - index) * DAY_MS
    return { date: dateOf(midnight), at: startOfDay(midnight, clock) }
  })
}

/** Whose days: `timezone` counts; `offset`, in minutes ahead of UTC, only where there is none. */
export type Reader = { timezone?: string | undefined; offset?: number }

/** The last `days` days of a reader, as `localDays`. */
export function daysOfReader(
  now: number,
  days: number,
  { timezone, offset = 0 }: Reader,
): LocalDay[] {
  if (timezone !== undefined) return localDays(now, days, timezone)
  const ahead = floorTo(offset * MINUTE_MS, QUARTER_MS)
  return daysOf(now, days, at => at + ahead)
}

/** What the clock shows, as if it were UTC. */
type WallClock = (at: number) => number

/**
 * The first moment at which the clock shows the date of `midnight`: the clock may show midnight
 * twice, or go from 23:59 to 1:00.
 */
function startOfDay(midnight: number, clock: WallClock): number {
  const [before, after] = [midnight - DAY_MS, midnight + DAY_MS].map(
    near => midnight - (clock(near) - near),
  ) as [number, number]
  if (before === after) return before
  const [earlier, later] = [Math.min(before, after), Math.max(before, after)]
  return clock(earlier) >= midnight ? earlier : later
}

function wallClock(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const known = new Map<number, number>()
  const show = (minute: number): number => {
    const shown: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(minute)) shown[type] = Number(value)
    const { year, month, day, hour } = shown
    return Date.UTC(year!, month! - 1, day, hour, shown.minute)
  }
  return at => {
    const minute = floorTo(at, MINUTE_MS)
    const time = known.get(minute) ?? show(minute)
    known.set(minute, time)
    return time + (at - minute)
  }
}

/** The last whole `unit` up to `value`, and the first one from it. */
export const floorTo = (value: number, unit: number): number => Math.floor(value / unit) * unit
export const ceilTo = (value: number, unit: number): number => Math.ceil(value / unit) * unit

const DATE_PARTS = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** '2026-11-20', of a midnight of UTC. */
function dateOf(midnight: number): string {
  const parts = DATE_PARTS.formatToParts(midnight)
  const part = (type: string): string => parts.find(one => one.type === type)!.value
  return `${part('year')}-${part('month')}-${part('day')}`
}
