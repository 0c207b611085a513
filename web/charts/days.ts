/** Calendar days as text: '2026-11-20', in the reader's time zone. Pure. */
import { dayText } from '#web/ui/calendar.ts'

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' })

/** '2026-11-20' becomes 'Fri 20-11-2026'. */
export const weekdayText = (day: string): string =>
  `${WEEKDAY.format(new Date(`${day}T00:00:00Z`))} ${dayText(day)}`

/** Days of a period with a place for each: its first, its last, and evenly spaced ones between. */
export function dayTicks(days: readonly string[], count: number): string[] {
  const last = days.length - 1
  const steps = Math.min(last, Math.max(1, count - 1))
  if (last < 1) return [...days]
  return Array.from({ length: steps + 1 }, (_, step) => days[Math.round((step * last) / steps)]!)
}
