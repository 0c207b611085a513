/** Days as fields hold them ('2026-11-21', in the reader's time zone) and the moments where they begin and end. */

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/

/** The first moment of the day, as ISO 8601; undefined where the text is no day. */
export const startOfDay = (day: string): string | undefined => isoTimeOf(day, 0, 0)

/** The last millisecond of the day: lists find what happened within, both ends inside. */
export const endOfDay = (day: string): string | undefined => isoTimeOf(day, 1, -1)

function isoTimeOf(day: string, days: number, ms: number): string | undefined {
  const [, year, month, date] = (DAY_PATTERN.exec(day) ?? []).map(Number)
  if (!year || !month || !date) return undefined
  const moment = new Date(year, month - 1, date + days, 0, 0, 0, ms)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

/** Whether two days are in the wrong order; a missing one is never wrong. */
export const isRangeReversed = (from: string, to: string): boolean =>
  DAY_PATTERN.test(from) && DAY_PATTERN.test(to) && from > to
