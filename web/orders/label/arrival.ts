/** The days on which a parcel usually arrives: business days of the postal service, no promise. Pure. */
import type { AvailableService } from '#contract/catalogue.ts'
import { MILITARY_STATES } from '#contract/states.ts'
import { dateText } from '#web/ui/date-text.ts'

/** Business days from the one on which the carrier gets the parcel. */
type DeliveryDays = { from: number; to: number }

const SUNDAY = 0
const MONDAY = 1
const THURSDAY = 4
const SATURDAY = 6

/** Federal holidays: months from 0. */
const FIXED_HOLIDAYS = [
  [0, 1],
  [5, 19],
  [6, 4],
  [10, 11],
  [11, 25],
]
/** The nth such weekday of the month. */
const MOVING_HOLIDAYS = [
  [0, MONDAY, 3],
  [1, MONDAY, 3],
  [8, MONDAY, 1],
  [9, MONDAY, 2],
  [10, THURSDAY, 4],
]
/** The last Monday of May is in its last seven days. */
const MEMORIAL_DAY = { month: 4, after: 24 }

/** Without days of delivery where the published ones do not hold. */
export const servicesTo = <Service extends Pick<AvailableService, 'deliveryDays'>>(
  state: string,
  services: readonly Service[],
): Service[] =>
  services.map(service =>
    MILITARY_STATES.has(state) ? { ...service, deliveryDays: undefined } : service,
  )

export function arrivalDays({ from, to }: DeliveryDays, today: Date): { first: Date; last: Date } {
  return { first: businessDay(today, from), last: businessDay(today, to) }
}

/** 'Mon 30-11': the weekday keeps day and month from being mixed up. */
export const arrivalDayText = (day: Date): string =>
  `${WEEKDAY.format(day)} ${dateText(day).slice(0, 'dd-mm'.length)}`

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'short' })

function businessDay(start: Date, count: number): Date {
  let day = start
  for (let left = count; left > 0;) {
    day = shifted(day, 1)
    if (isBusinessDay(day)) left -= 1
  }
  return day
}

/** By the calendar: a day of the clock change is not 24 hours long. */
const shifted = (day: Date, days: number): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + days)

const isBusinessDay = (day: Date): boolean =>
  day.getDay() !== SUNDAY && day.getDay() !== SATURDAY && !isHoliday(day)

function isHoliday(day: Date): boolean {
  const weekday = day.getDay()
  const nth = Math.ceil(day.getDate() / 7)
  return (
    isFixedHoliday(day)
    // One on a Sunday is kept on the Monday after it.
    || (weekday === MONDAY && isFixedHoliday(shifted(day, -1)))
    || MOVING_HOLIDAYS.some(
      ([month, on, n]) => month === day.getMonth() && on === weekday && n === nth,
    )
    || (weekday === MONDAY
      && day.getMonth() === MEMORIAL_DAY.month
      && day.getDate() > MEMORIAL_DAY.after)
  )
}

const isFixedHoliday = (day: Date): boolean =>
  FIXED_HOLIDAYS.some(([month, date]) => month === day.getMonth() && date === day.getDate())
