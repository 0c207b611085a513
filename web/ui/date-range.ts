/** Days of date fields ('2026-11-21', in the reader's time zone) as the instants where they begin and end. */

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/

/** The first instant of the day as ISO 8601; undefined when the text is not a day. */
export const startOfDay = (day: string): string | undefined => isoTimeOf(day, 0, 0)

/** The last millisecond of the day: ranges include both ends. */
export const endOfDay = (day: string): string | undefined => isoTimeOf(day, 1, -1)

function isoTimeOf(day: string, days: number, ms: number): string | undefined {
  const [, year, month, date] = (DAY_PATTERN.exec(day) ?? []).map(Number)
  if (!year || !month || !date) return undefined
  const moment = new Date(new Date(year, month - 1, date + days).getTime() + ms)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

/** False when a day is missing. */
export const isRangeReversed = (from: string, to: string): boolean =>
  DAY_PATTERN.test(from) && DAY_PATTERN.test(to) && from > to
