import { expect, test } from 'vitest'
import {
  dayTotals,
  foldSeries,
  highestDays,
  peakOf,
  shareText,
  stackOf,
  sumOf,
  trailingMeans,
} from './series.ts'

const one = (key: string, ...values: number[]) => ({ key, name: key.toUpperCase(), values })

test('amounts add up to the cent', () => {
  expect(sumOf([0.1, 0.2, 9.5, -3])).toBe(6.8)
  expect(dayTotals([one('a', 0.1, 6.5), one('b', 0.2, 0)], 2)).toEqual([0.3, 6.5])
})

test('the first services keep their names, the rest are one', () => {
  const series = foldSeries(
    [one('a', 9), one('b', 5), one('c', 0), one('d', 3), one('e', 2), one('f', 0)],
    'Other',
  )
  expect(series.map(({ key, values }) => [key, ...values])).toEqual([
    ['a', 9],
    ['b', 5],
    ['other', 5],
  ])
})

test('four services need no other', () => {
  const four = [one('a', 4), one('b', 3), one('c', 2), one('d', 1)]
  expect(foldSeries(four, 'Other').map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd'])
})

test('parts of a day stand on each other, and a service without labels has none', () => {
  expect(stackOf([one('a', 6.5), one('b', 0), one('c', 9.5)], 0)).toEqual([
    { key: 'a', from: 0, to: 6.5 },
    { key: 'c', from: 6.5, to: 16 },
  ])
})

test('the busiest day is the latest of equal ones, and none without labels', () => {
  expect(peakOf([3, 8, 8, 1])).toEqual({ day: 2, value: 8, count: 2 })
  expect(peakOf([0, 0])).toBeNull()
})

test('a share that is too small to show is not zero', () => {
  expect(shareText(0.0214)).toBe('2.1%')
  expect(shareText(0.0001)).toBe('<0.1%')
  expect(shareText(-0.0001)).toBe('>−0.1%')
  expect(shareText(0)).toBe('0%')
})

test('an average over the days before levels days without sales', () => {
  expect(trailingMeans([7, 0, 2, 3], 2)).toEqual([7, 3.5, 1, 2.5])
  expect(trailingMeans([10, 0, 0], 7)).toEqual([10, 5, 3.33])
  expect(trailingMeans([], 7)).toEqual([])
})

test('the two highest days are named, unless they are too near to each other', () => {
  expect(highestDays([1, 0, 9, 8, 5], 1)).toEqual([2])
  expect(highestDays([9, 0, 9, 8, 9], 2)).toEqual([0, 2, 4])
  expect(highestDays([9, 0, 9, 8, 9], 3)).toEqual([])
  expect(highestDays([0, 9, 0], 1)).toEqual([1])
  expect(highestDays([0, 0], 1)).toEqual([])
})
