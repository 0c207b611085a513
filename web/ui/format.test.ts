import { expect, test } from 'vitest'
import { count, dayAndMinute } from './format.ts'

test('dates are day-month-year with dashes and 24 hours', () => {
  expect(dayAndMinute(new Date(2026, 10, 3, 17, 5))).toEqual({ day: '03-11-2026', minute: '17:05' })
})

test('midnight is 00 and not 24', () => {
  expect(dayAndMinute(new Date(2026, 0, 31, 0, 9)).minute).toBe('00:09')
})

test('counts are grouped', () => {
  expect(count(1352)).toBe('1,352')
})
