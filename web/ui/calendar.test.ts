import { expect, test } from 'vitest'
import {
  addMonths,
  dayText,
  longDayText,
  monthOfDayText,
  parseDay,
  weeksOfMonth,
} from './calendar.ts'

test.each([
  ['21-11-2026', '2026-11-21'],
  ['1-2-2026', '2026-02-01'],
  ['01.02.2026', '2026-02-01'],
  ['21112026', '2026-11-21'],
  ['2026-11-21', '2026-11-21'],
  [' 29-02-2028 ', '2028-02-29'],
])('%s is read as the day %s', (typed, day) => {
  expect(parseDay(typed)).toBe(day)
})

test.each(['10/11/2026', '31-02-2026', '29-02-2027', '00-01-2026', '21-11-26', 'today', ''])(
  '%s is not read as a day: it is none, or two countries read it differently',
  typed => {
    expect(parseDay(typed)).toBeNull()
  },
)

test('a day is written as in the lists, and in words for its tooltip', () => {
  expect(dayText('2026-11-10')).toBe('10-11-2026')
  expect(longDayText('2026-11-10')).toBe('Tuesday, November 10, 2026')
  expect(monthOfDayText('2026-11-10')).toBe('November 2026')
})

test('a month has its weeks, which begin on Sunday and are whole', () => {
  const weeks = weeksOfMonth('2026-11-21')
  expect(weeks).toHaveLength(5)
  expect(weeks[0]?.[0]).toBe('2026-11-01')
  expect(weeks[4]?.[6]).toBe('2026-12-05')
  expect(weeksOfMonth('2026-08-31')).toHaveLength(6)
  expect(weeks.every(week => week.length === 7)).toBe(true)
})

test('the month after January 31 has its last day chosen', () => {
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-01-31', -1)).toBe('2025-12-31')
})
