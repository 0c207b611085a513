import { expect, test } from 'vitest'
import { forecastOf, nearestPoint, noonTicks } from './curve.ts'

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

test('a time axis names today and days evenly spaced from it', () => {
  const from = new Date(2026, 10, 1).getTime()
  const now = new Date(2026, 10, 22, 23, 30).getTime()
  const to = new Date(2026, 10, 30, 15).getTime()
  const noon = (day: number): number => new Date(2026, 10, day, 12).getTime()
  expect(noonTicks(from, to, now, 8 * DAY)).toEqual([noon(6), noon(14), noon(22), noon(30)])
  expect(noonTicks(from, to, now, 10.5 * DAY)).toEqual([noon(11), noon(22)])
  expect(noonTicks(from, to, now, 40 * DAY)).toEqual([noon(22)])
})

test('a deposit late in the evening stands nearer to its own day than to the next', () => {
  const from = new Date(2026, 10, 20).getTime()
  const deposit = new Date(2026, 10, 22, 23, 30).getTime()
  const ticks = noonTicks(from, deposit + DAY, deposit, 0)
  const nearest = ticks.toSorted((a, b) => Math.abs(a - deposit) - Math.abs(b - deposit))[0]!
  expect(new Date(nearest).getDate()).toBe(22)
})

test('an axis that ends in the morning names today too', () => {
  const from = new Date(2026, 10, 20).getTime()
  const now = new Date(2026, 10, 22, 9).getTime()
  expect(noonTicks(from, now, now, DAY)).toEqual([now - 2 * DAY, now - DAY, now])
})
