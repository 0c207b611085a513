/** How the labels of a seeded database are spread over its days. */

/** Labels are of this many days; the newest is an hour old. */
export const DAYS = 90

const DAY_SECONDS = 86_400
const NEWEST_AGE_SECONDS = 3_600

/** An SQL expression: the age in seconds of label `n` of `labels`, counted from 0, the oldest. */
export type Spread = (n: string, labels: number) => string

export const evenSpread: Spread = (n, labels) =>
  `${NEWEST_AGE_SECONDS} + ${DAYS * DAY_SECONDS} * (${labels} - ${n})::float8 / ${labels}`

/** From Sunday on: most on Mondays, few at weekends. */
const WEEKDAY_WEIGHTS = [0.12, 1.25, 1.05, 1, 1, 0.9, 0.25]
/** 9 to 18 o'clock in New York, in UTC. */
const OPENING_SECONDS = 14 * 3_600
const OPEN_SECONDS = 9 * 3_600
/** Growth from the first day to the last, and how far a day may be from its trend. */
const GROWTH = 0.35
const VARIATION = 0.3
/** Most labels of the last day are bought after the seed. */
const LAST_DAY_WEIGHT = 0.1

/** As shops sell: by day, with a rhythm of weeks and some growth. `from`: the moment from which ages count. */
export function weeklySpread(from: Date): Spread {
  const now = Math.floor(from.getTime() / 1000)
  const today = now - (now % DAY_SECONDS)
  const days = Array.from({ length: DAYS }, (_, n) => {
    const isLast = n === DAYS - 1
    const start = today - (DAYS - 1 - n) * DAY_SECONDS
    const weekday = WEEKDAY_WEIGHTS[new Date(start * 1000).getUTCDay()]!
    const trend = 1 + (GROWTH * n) / DAYS
    const variation = 1 + VARIATION * ((((n * 7) % 17) - 8) / 8)
    const opening = isLast ? start : start + OPENING_SECONDS
    return {
      weight: weekday * trend * variation * (isLast ? LAST_DAY_WEIGHT : 1),
      age: Math.max(NEWEST_AGE_SECONDS, now - opening),
      seconds: isLast ? Math.max(0, now - opening - NEWEST_AGE_SECONDS) : OPEN_SECONDS,
    }
  })
  const sum = days.reduce((total, { weight }) => total + weight, 0)
  let before = 0
  const starts = days.map(({ weight }) => {
    const start = before / sum
    before += weight
    return start
  })
  const array = (values: readonly number[]): string => `(array[${values.join(', ')}]::float8[])`
  return (n, labels) =>
    `(select ${array(days.map(({ age }) => age))}[day] - ${array(days.map(({ seconds }) => seconds))}[day]
        * (part - ${array(starts)}[day]) / (${array([...starts, 1])}[day + 1] - ${array(starts)}[day])
      from (select (${n})::float8 / ${labels} as part) p, lateral (select width_bucket(part, ${array(starts)}) as day) d)`
}
