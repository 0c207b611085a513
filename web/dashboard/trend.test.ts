import { expect, test } from 'vitest'
import { hasSeveralDays, trendFromDays } from './trend.ts'

test('days add up to the cent, with the maximum and today', () => {
  expect(trendFromDays([0.1, 0.2, 9.5, -3])).toEqual({
    values: [0.1, 0.2, 9.5, -3],
    sum: 6.8,
    max: 9.5,
    today: -3,
  })
})

test('days without movements are no trend, and neither are no days', () => {
  expect(trendFromDays([0, 0, 0])).toBeNull()
  expect(trendFromDays([])).toBeNull()
  expect(trendFromDays(undefined)).toBeNull()
})

test('a trend is drawn from two days on', () => {
  expect(hasSeveralDays(trendFromDays([0, 500, 0])!)).toBe(false)
  expect(hasSeveralDays(trendFromDays([1, 0, 2])!)).toBe(true)
})
