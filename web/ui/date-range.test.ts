import { expect, test } from 'vitest'
import { startOfDay, endOfDay, isRangeReversed } from './date-range.ts'

test("a day lasts from midnight to midnight in the user's time zone", () => {
  const begins = new Date(startOfDay('2026-11-21')!)
  const ends = new Date(endOfDay('2026-11-21')!)
  expect([begins.getHours(), begins.getMinutes(), begins.getDate()]).toEqual([0, 0, 21])
  expect([
    ends.getHours(),
    ends.getMinutes(),
    ends.getSeconds(),
    ends.getMilliseconds(),
    ends.getDate(),
  ]).toEqual([23, 59, 59, 999, 21])
})

test('an invalid day does not filter', () => {
  expect([startOfDay(''), endOfDay('yesterday'), startOfDay('0000-00-00')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a range that ends before it begins is reversed, one with a missing day never', () => {
  expect(isRangeReversed('2026-11-21', '2026-11-20')).toBe(true)
  expect(isRangeReversed('2026-11-20', '2026-11-20')).toBe(false)
  expect(isRangeReversed('', '2026-11-20')).toBe(false)
})
