import { expect, test } from 'vitest'
import { arrivalDays, arrivalDayText } from './arrival.ts'

/** 'Mon, Nov 30 to Thu, Dec 3' for a parcel of that day. */
const usually = (today: string, from: number, to: number): string => {
  const [year, month, day] = today.split('-').map(Number)
  const { first, last } = arrivalDays({ from, to }, new Date(year!, month! - 1, day, 23, 30))
  return `${arrivalDayText(first)} to ${arrivalDayText(last)}`
}

test('days of arrival leave out weekends', () => {
  expect(usually('2026-12-01', 2, 5)).toBe('Thu, Dec 3 to Tue, Dec 8')
  expect(usually('2026-11-27', 1, 2)).toBe('Mon, Nov 30 to Tue, Dec 1')
  expect(usually('2026-11-28', 1, 2)).toBe('Mon, Nov 30 to Tue, Dec 1')
})

test.each([
  ['Thanksgiving', '2026-11-25', 'Fri, Nov 27'],
  ['Christmas', '2026-12-24', 'Mon, Dec 28'],
  ['New Year', '2026-12-31', 'Mon, Jan 4'],
  ['Martin Luther King', '2027-01-15', 'Tue, Jan 19'],
  ['Memorial Day', '2026-05-22', 'Tue, May 26'],
  ['Labor Day', '2026-09-04', 'Tue, Sep 8'],
  ['Independence Day on a Sunday', '2027-07-02', 'Tue, Jul 6'],
])('days of arrival leave out %s', (_, today, next) => {
  expect(usually(today, 1, 1)).toBe(`${next} to ${next}`)
})

test('a change of the clock moves no day', () => {
  expect(usually('2026-03-06', 1, 2)).toBe('Mon, Mar 9 to Tue, Mar 10')
  expect(usually('2026-10-30', 1, 2)).toBe('Mon, Nov 2 to Tue, Nov 3')
})
