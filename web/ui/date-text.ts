/** Dates, times and durations in words, in the reader's time zone. */

/** A Date, ISO 8601 or ms since the epoch. */
export type Instant = Date | string | number

const twoDigits = (n: number): string => String(n).padStart(2, '0')
// Created once: creating a formatter takes longer than formatting a thousand dates.
const DAY = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric' })
const TIME = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const LONG_DAY = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
})
const TIME_WITH_SECONDS = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
/** Shown where no date is known. */
export const NO_DATE = '–'

/** Null for text that is no date. */
export const parseInstant = (instant: Instant): Date | null => {
  const date = new Date(instant)
  return Number.isNaN(date.getTime()) ? null : date
}

/** '20-11-2026': en-GB with dashes. */
export function dateText(instant: Instant): string {
  const date = parseInstant(instant)
  return date ? DAY.format(date).replaceAll('/', '-') : NO_DATE
}

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric' })

/** 'November 2026', for the dividers of a list. */
export function monthText(instant: Instant): string {
  const date = parseInstant(instant)
  return date ? MONTH.format(date) : NO_DATE
}

/** 'Monday, November 23, 2026', for the dividers of a list. */
export function longDateText(instant: Instant): string {
  const date = parseInstant(instant)
  return date ? LONG_DAY.format(date) : NO_DATE
}

/** '11:42', 24 hours. */
export function timeText(instant: Instant): string {
  const date = parseInstant(instant)
  return date ? TIME.format(date) : NO_DATE
}

/** '11:42:07', where the order within a minute matters. */
export function timeWithSecondsText(instant: Instant): string {
  const date = parseInstant(instant)
  return date ? TIME_WITH_SECONDS.format(date) : NO_DATE
}

/** '20-11-2026 11:42'. */
export const dateTimeText = (instant: Instant): string =>
  parseInstant(instant) ? `${dateText(instant)} ${timeText(instant)}` : NO_DATE

/** 'Tuesday, November 10, 2026, 11:42': '10-11-2026' is two days in the US. '' for text that is no date. */
export function longDateTimeText(instant: Instant): string {
  const date = parseInstant(instant)
  return date ? `${LONG_DAY.format(date)}, ${TIME.format(date)}` : ''
}

const RELATIVE = new Intl.RelativeTimeFormat('en-US')
const MINUTE_MS = 60_000
/** In minutes, the largest first. */
const UNITS = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const

/** '5 minutes ago', 'in 2 hours', 'just now': where it matters how long ago it was, not on which day. `now` in ms. */
export function relativeTimeText(instant: Instant, now: number): string {
  const date = parseInstant(instant)
  if (!date) return NO_DATE
  const minutes = (date.getTime() - now) / MINUTE_MS
  const unit = UNITS.find(([, size]) => Math.abs(minutes) >= size)
  if (!unit) return minutes > 0 ? 'in less than a minute' : 'just now'
  return RELATIVE.format(Math.trunc(minutes / unit[1]), unit[0])
}

/** Unix seconds as the ms that the functions here take. */
export const secondsToMs = (seconds: number): number => seconds * 1000

/** '02:14', from one hour '1:02:14'. Rounds down, at least 0. */
export function durationText(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  const hours = Math.floor(whole / 3600)
  const rest = `${twoDigits(Math.floor(whole / 60) % 60)}:${twoDigits(whole % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}
