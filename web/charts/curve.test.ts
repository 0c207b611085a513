import { expect, test } from 'vitest'
import { forecastOf, midnightTicks, nearestPoint } from './curve.ts'

const DAY = 86_400_000
const points = [
  { at: 0, balance: 500, held: 0 },
  { at: 30 * DAY, balance: 60, held: 6.5 },
]

test('the forecast ends on the day on which the balance is empty', () => {
  expect(forecastOf(points, 20)).toMatchObject({ at: 33 * DAY, balance: 0 })
})

test('a balance that lasts long is followed for part of the time only', () => {
  expect(forecastOf(points, 1)).toMatchObject({ at: 39 * DAY, balance: 51 })
})

test('without spending, without money or without points there is no forecast', () => {
  expect(forecastOf(points, null)).toBeNull()
  expect(forecastOf(points, 0)).toBeNull()
  expect(forecastOf([{ at: 0, balance: 0, held: 0 }], 5)).toBeNull()
  expect(forecastOf([], 5)).toBeNull()
})

test('the pointer reads the point that is nearest in time', () => {
  expect(nearestPoint(points, 14 * DAY)).toBe(0)
  expect(nearestPoint(points, 16 * DAY)).toBe(1)
})

test('a time axis names midnights, evenly spaced', () => {
  const from = new Date(2026, 10, 1, 9).getTime()
  const to = new Date(2026, 10, 30, 15).getTime()
  const ticks = midnightTicks(from, to, 4)
  expect(ticks.length).toBeLessThanOrEqual(4)
  expect(ticks.every(at => new Date(at).getHours() === 0)).toBe(true)
  expect(ticks[0]).toBe(new Date(2026, 10, 2).getTime())
})
