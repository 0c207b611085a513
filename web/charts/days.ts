/** Calendar days as text: '2026-11-20', in the reader's time zone. Pure. */
import { dayText } from '#web/ui/calendar.ts'

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' })

/** '2026-11-20' becomes 'Fri 20-11-2026'. */
export const weekdayText = (day: string): string =>
  `${WEEKDAY.format(new Date(`${day}T00:00:00Z`))} ${dayText(day)}`

/** A longer step is worth it up to this many times the least one. */
const LONGEST_STEP = 1.5

/** Days that an axis names below few bars: each bar's own where they are far enough apart, else equal steps. */
export function barTicks(
  days: readonly string[],
  totals: readonly number[],
  leastStep: number,
): string[] {
  const used = days.filter((_, day) => totals[day] !== 0)
  const apart = used.every(
    (day, at) => at === 0 || days.indexOf(day) - days.indexOf(used[at - 1]!) >= leastStep,
  )
  return used.length > 0 && apart ? used : dayTicks(days, leastStep)
}

/**
 * Days that an axis names: the last one and those before it in equal steps of at least `leastStep`
 * days. Of the steps that fit, the one whose earliest name is nearest to the first day.
 */
export function dayTicks(days: readonly string[], leastStep: number): string[] {
  const last = days.length - 1
  const least = Math.max(1, Math.min(last, Math.ceil(leastStep)))
  let step = least
  for (let longer = least; longer <= Math.min(last, least * LONGEST_STEP); longer += 1)
    if (last % longer < last % step) step = longer
  return days.filter((_, day) => (last - day) % step === 0)
}
