import { addDays, today } from '#web/ui/calendar.ts'

const DAYS = 7

/** The first days of so many weeks, the last of which ends on `until`; oldest first. */
export const weekStarts = (weeks: number, until: string = today()): string[] =>
  Array.from({ length: weeks }, (_, week) => addDays(until, 1 - DAYS * (weeks - week)))
