/** Days as fields hold them ('2026-11-21', in the reader's time zone) and the moments where they begin and end. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/** The first moment of the day, as ISO 8601; undefined where the text is no day. */
export const dayBegins = (day: string): string | undefined => at(day, 0, 0)

/** The last millisecond of the day: lists find what happened within, both ends inside. */
export const dayEnds = (day: string): string | undefined => at(day, 1, -1)

function at(day: string, days: number, ms: number): string | undefined {
  const [, year, month, date] = (DAY.exec(day) ?? []).map(Number)
  if (!year || !month || !date) return undefined
  const moment = new Date(year, month - 1, date + days, 0, 0, 0, ms)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

/** Whether two days are in the wrong order; a missing one is never wrong. */
export const reversed = (from: string, to: string): boolean =>
  DAY.test(from) && DAY.test(to) && from > to
