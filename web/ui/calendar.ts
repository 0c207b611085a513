/** Days as ISO text ('2026-11-21') and as people type them ('21-11-2026'), and the weeks of a month. */
import { longDateText, monthText } from './date-text.ts'

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/
/** Slashes are refused: 10/11/2026 is a day in October in the US and one in November elsewhere. */
const TYPED_DAY = /^(\d{1,2})[-.](\d{1,2})[-.](\d{4})$|^(\d{2})(\d{2})(\d{4})$/

const twoDigits = (n: number): string => String(n).padStart(2, '0')

/** '2026-11-21', the reader's day. */
export const isoDay = (date: Date): string =>
  `${String(date.getFullYear()).padStart(4, '0')}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`

/** Noon, which exists on every day in every time zone. */
const dateOf = (iso: string): Date | null => {
  const [, year, month, day] = (ISO_DAY.exec(iso) ?? []).map(Number)
  if (!year || !month || !day) return null
  const date = new Date(year, month - 1, day, 12)
  // 31 February would be in March.
  return date.getMonth() === month - 1 && date.getDate() === day ? date : null
}

/** '2026-11-21' of '21-11-2026', '21.11.2026', '21112026' or the ISO day itself; null for text that is no day. */
export function parseDay(text: string): string | null {
  const typed = text.trim()
  const [, ...parts] = TYPED_DAY.exec(typed) ?? []
  const [day, month, year] = parts.filter(part => part !== undefined).map(Number)
  const iso =
    day && month && year
      ? `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`
      : typed
  return dateOf(iso) && iso
}

/** '21-11-2026'; the text itself when it is no ISO day. */
export const dayText = (iso: string): string => iso.replace(ISO_DAY, '$3-$2-$1')

/** 'Saturday, November 21, 2026'; '' for text that is no day. */
export const longDayText = (iso: string): string => {
  const date = dateOf(iso)
  return date ? longDateText(date) : ''
}

/** 'November 2026' of any of its days; '' for text that is no day. */
export const monthOfDayText = (iso: string): string => {
  const date = dateOf(iso)
  return date ? monthText(date) : ''
}

/** The reader's day. */
export const today = (): string => isoDay(new Date())

/** The day so many days later; negative for earlier. */
export function addDays(iso: string, days: number): string {
  const date = dateOf(iso)
  if (!date) return iso
  date.setDate(date.getDate() + days)
  return isoDay(date)
}

/** The same day of another month, or the last one of a shorter month. */
export function addMonths(iso: string, months: number): string {
  const date = dateOf(iso)
  if (!date) return iso
  const first = new Date(date.getFullYear(), date.getMonth() + months, 1, 12)
  const last = new Date(first.getFullYear(), first.getMonth() + 1, 0, 12).getDate()
  first.setDate(Math.min(date.getDate(), last))
  return isoDay(first)
}

/** 0 for Sunday. */
export const weekdayOf = (iso: string): number => dateOf(iso)?.getDay() ?? 0

/** Whether both days are in one month. */
export const isSameMonth = (a: string, b: string): boolean => a.slice(0, 7) === b.slice(0, 7)

/** The weeks, Sunday first, that hold the month of a day; their first and last days may be of other months. */
export function weeksOfMonth(iso: string): string[][] {
  const first = `${iso.slice(0, 8)}01`
  const start = addDays(first, -weekdayOf(first))
  const weeks: string[][] = []
  for (let day = start; weeks.length === 0 || isSameMonth(day, first); day = addDays(day, 7))
    weeks.push(Array.from({ length: 7 }, (_, i) => addDays(day, i)))
  return weeks
}
