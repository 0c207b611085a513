import { expect, test } from 'vitest'
import { trendFromDays } from './trend.ts'

test('days are added up to the cent, with the best one and today', () => {
  expect(trendFromDays([0.1, 0.2, 9.5, -3])).toEqual({
    values: [0.1, 0.2, 9.5, -3],
    sum: 6.8,
    max: 9.5,
    today: -3,
  })
})

test('days without anything are no trend, and neither is nothing', () => {
  expect(trendFromDays([0, 0, 0])).toBeNull()
  expect(trendFromDays([])).toBeNull()
  expect(trendFromDays(undefined)).toBeNull()
})
