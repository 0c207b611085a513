/** How dates, times, tracking numbers and page numbers are written (specification, 2 and 9). Money: money.ts. */

type Instant = Date | string | number

const two = (n: number): string => String(n).padStart(2, '0')
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** What stands where a moment should be and none is known. */
const NONE = '–'

const moment = (instant: Instant): Date | null => {
  const date = new Date(instant)
  return Number.isNaN(date.getTime()) ? null : date
}

/** '20-11-2026', in the reader's time zone: en-GB with dashes. Takes a Date, ISO 8601 or ms since the epoch. */
export function dateText(instant: Instant): string {
  const date = moment(instant)
  return date ? `${two(date.getDate())}-${two(date.getMonth() + 1)}-${date.getFullYear()}` : NONE
}

/** '11:42', 24 hours. */
export function timeText(instant: Instant): string {
  const date = moment(instant)
  return date ? `${two(date.getHours())}:${two(date.getMinutes())}` : NONE
}

/** '20-11-2026 11:42'. */
export const dateTime = (instant: Instant): string => moment(instant) ? `${dateText(instant)} ${timeText(instant)}` : NONE

/** 'Nov 20, 2026 | 11:42': month day year | time, for the list of bulk orders. */
export function batchDate(instant: Instant): string {
  const date = moment(instant)
  return date ? `${MONTHS[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()} | ${timeText(date)}` : NONE
}

/** A deposit's createdTime (seconds since the epoch) as the ms that the functions here take. */
export const fromSeconds = (seconds: number): number => seconds * 1000

/** '02:14', from one hour '1:02:14'. Takes seconds; fractions and negative values count as the whole second below, at least 0. */
export function elapsed(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  const hours = Math.floor(whole / 3600)
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

/** '9800 1000 0000 0000 0000 17': groups of four, which people can read aloud and no spreadsheet takes for a number. */
export const groupTracking = (tracking: string): string => tracking.replace(/\s+/g, '').replace(/(.{4})(?=.)/g, '$1 ')

/** '1 row', '2 rows', '412 rows'. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`

/** Where pages are left out. */
export const GAP = 'gap'

/**
 * The page numbers to show, the current one with a neighbour on each side, first and last always: from more than 2*1+5 pages
 * on some are left out (specification, 9). Never more than seven places, so the row of buttons does not jump.
 */
export function pages(current: number, total: number): (number | typeof GAP)[] {
  const run = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
  if (total <= 7) return run(1, total)
  if (current <= 4) return [...run(1, 5), GAP, total]
  if (current >= total - 3) return [1, GAP, ...run(total - 4, total)]
  return [1, GAP, ...run(current - 1, current + 1), GAP, total]
}
