/** How dates, times, tracking numbers and page numbers are written (specification, 2 and 9). Money: money.ts. */

type Instant = Date | string | number

const twoDigits = (n: number): string => String(n).padStart(2, '0')
// Made once: making one takes longer than writing a thousand dates with it.
const DAY = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric' })
const TIME = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const TIME_WITH_SECONDS = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const MONTH_FIRST = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
})
const NUMBER_FORMAT = new Intl.NumberFormat('en-US')
const PLURAL = new Intl.PluralRules('en-US')
/** What stands where a moment should be and none is known. */
const NO_DATE = '–'

const parseInstant = (instant: Instant): Date | null => {
  const date = new Date(instant)
  return Number.isNaN(date.getTime()) ? null : date
}

/** '20-11-2026', in the reader's time zone: en-GB with dashes. Takes a Date, ISO 8601 or ms since the epoch. */
export function dateText(instant: Instant): string {
  const date = parseInstant(instant)
  return date ? DAY.format(date).replaceAll('/', '-') : NO_DATE
}

/** '11:42', 24 hours. */
export function timeText(instant: Instant): string {
  const date = parseInstant(instant)
  return date ? TIME.format(date) : NO_DATE
}

/** '11:42:07', where the order of things within a minute matters. */
export function timeWithSecondsText(instant: Instant): string {
  const date = parseInstant(instant)
  return date ? TIME_WITH_SECONDS.format(date) : NO_DATE
}

/** '20-11-2026 11:42'. */
export const dateTimeText = (instant: Instant): string =>
  parseInstant(instant) ? `${dateText(instant)} ${timeText(instant)}` : NO_DATE

/** 'Nov 20, 2026 | 11:42': month day year | time, for the list of bulk orders. */
export function batchDateText(instant: Instant): string {
  const date = parseInstant(instant)
  return date ? `${MONTH_FIRST.format(date)} | ${timeText(date)}` : NO_DATE
}

/** A deposit's createdTime (seconds since the epoch) as the ms that the functions here take. */
export const secondsToMs = (seconds: number): number => seconds * 1000

/** '02:14', from one hour '1:02:14'. Takes seconds; fractions and negative values count as the whole second below, at least 0. */
export function durationText(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  const hours = Math.floor(whole / 3600)
  const rest = `${twoDigits(Math.floor(whole / 60) % 60)}:${twoDigits(whole % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

/** '9800 1000 0000 0000 0000 17': groups of four, which people can read aloud and no spreadsheet takes for a number. */
export const groupTracking = (tracking: string): string =>
  tracking.replace(/\s+/g, '').replace(/(.{4})(?=.)/g, '$1 ')

/** '12,000'. */
export const numberText = (n: number): string => NUMBER_FORMAT.format(n)

/** The word for so many: `plural(1, 'row has', 'rows have')`. */
export const plural = (n: number, one: string, many = `${one}s`): string =>
  PLURAL.select(n) === 'one' ? one : many

/** '1 row', '2 rows', '12,000 rows'. */
export const countText = (n: number, one: string, many = `${one}s`): string =>
  `${numberText(n)} ${plural(n, one, many)}`

/** Where pages are left out. */
export const PAGE_GAP = 'gap'

/**
 * The page numbers to show, the current one with a neighbour on each side, first and last always: from more than 2*1+5 pages
 * on some are left out (specification, 9). Never more than seven places, so the row of buttons does not jump.
 */
export function pageNumbersFor(current: number, total: number): (number | typeof PAGE_GAP)[] {
  const run = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
  if (total <= 7) return run(1, total)
  if (current <= 4) return [...run(1, 5), PAGE_GAP, total]
  if (current >= total - 3) return [1, PAGE_GAP, ...run(total - 4, total)]
  return [1, PAGE_GAP, ...run(current - 1, current + 1), PAGE_GAP, total]
}
