import { expect, test } from 'vitest'
import { arrivalDays, arrivalDayText, servicesTo } from './arrival.ts'

/** 'Mon 30-11 to Thu 03-12' for a parcel of that day. */
const usually = (today: string, from: number, to: number): string => {
  const [year, month, day] = today.split('-').map(Number)
  const { first, last } = arrivalDays({ from, to }, new Date(year!, month! - 1, day, 23, 30))
  return `${arrivalDayText(first)} to ${arrivalDayText(last)}`
}

test('days of arrival leave out weekends', () => {
  expect(usually('2026-12-01', 2, 5)).toBe('Thu 03-12 to Tue 08-12')
  expect(usually('2026-11-27', 1, 2)).toBe('Mon 30-11 to Tue 01-12')
  expect(usually('2026-11-28', 1, 2)).toBe('Mon 30-11 to Tue 01-12')
})

test.each([
  ['Thanksgiving', '2026-11-25', 'Fri 27-11'],
  ['Christmas', '2026-12-24', 'Mon 28-12'],
  ['New Year', '2026-12-31', 'Mon 04-01'],
  ['Martin Luther King', '2027-01-15', 'Tue 19-01'],
  ['Memorial Day', '2026-05-22', 'Tue 26-05'],
  ['Labor Day', '2026-09-04', 'Tue 08-09'],
  ['Independence Day on a Sunday', '2027-07-02', 'Tue 06-07'],
])('days of arrival leave out %s', (_, today, next) => {
  expect(usually(today, 1, 1)).toBe(`${next} to ${next}`)
})

test('a change of the clock moves no day', () => {
  expect(usually('2026-03-06', 1, 2)).toBe('Mon 09-03 to Tue 10-03')
  expect(usually('2026-10-30', 1, 2)).toBe('Mon 02-11 to Tue 03-11')
})

test('military mail has no days of arrival: it takes weeks with every service', () => {
  const priority = { uid: 'usps:PRIORITY_MAIL', deliveryDays: { from: 2, to: 3 } }
  for (const state of ['AA', 'AE', 'AP'])
    expect(servicesTo(state, [priority])).toEqual([{ ...priority, deliveryDays: undefined }])
  expect(servicesTo('CA', [priority])).toEqual([priority])
})
