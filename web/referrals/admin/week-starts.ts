import { addDays, today } from '#web/ui/calendar.ts'

const DAYS = 7

/** The first days of so many weeks, the last of which ends on `until`; oldest first. */
export const weekStarts = (weeks: number, until: string = today()): string[] =>
  Array.from({ length: weeks }, (_, week) => addDays(until, 1 - DAYS * (weeks - week)))

/** With fewer weeks a chart is one wide bar. */
const FEWEST_WEEKS = 8

/** The weeks from the first that has something on. */
export function fromFirstUsed(perWeek: readonly number[]): number[] {
  const first = perWeek.findIndex(count => count > 0)
  return perWeek.slice(Math.max(0, Math.min(first, perWeek.length - FEWEST_WEEKS)))
}
