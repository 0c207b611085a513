import { expect, test } from 'vitest'
import { startOfDay, endOfDay, isRangeReversed } from './date-range.ts'

test('a day is all that happens between two midnights of the reader', () => {
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

test('what is no day narrows nothing', () => {
  expect([startOfDay(''), endOfDay('yesterday'), startOfDay('0000-00-00')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a day before the first one is in the wrong order, a missing one never', () => {
  expect(isRangeReversed('2026-11-21', '2026-11-20')).toBe(true)
  expect(isRangeReversed('2026-11-20', '2026-11-20')).toBe(false)
  expect(isRangeReversed('', '2026-11-20')).toBe(false)
})
