import { expect, test } from 'vitest'
import { axisTicks, countTick, moneyTick, roundTicks } from './ticks.ts'

test('an axis has round values from zero to above the highest', () => {
  expect(roundTicks(0, 14, 4, 1)).toEqual([0, 5, 10, 15])
  expect(roundTicks(0, 97, 4, 1)).toEqual([0, 25, 50, 75, 100])
  expect(roundTicks(0, 1284.4, 4, 1)).toEqual([0, 500, 1000, 1500])
})

test('pieces have no fractions, also where there is only one', () => {
  expect(axisTicks(0, 1, 'count').values).toEqual([0, 1])
  expect(axisTicks(0, 3, 'count').values).toEqual([0, 1, 2, 3])
  expect(axisTicks(0, 9, 'count').values).toEqual([0, 2, 4, 6, 8, 10])
})

test('a chart without values still has an axis', () => {
  expect(axisTicks(0, 0, 'count').values).toEqual([0, 1])
  expect(axisTicks(0, 0, 'usd').values.length).toBeGreaterThan(1)
})

test('losses reach below zero, and zero is a value of the axis', () => {
  expect(roundTicks(-12, 40, 4, 1)).toEqual([-20, 0, 20, 40])
})

test('small amounts have cents, large ones are short', () => {
  expect(axisTicks(0, 1, 'usd').texts).toEqual([
    '$0.00',
    '$0.20',
    '$0.40',
    '$0.60',
    '$0.80',
    '$1.00',
  ])
  expect(moneyTick(1500, [0, 1500])).toBe('$1,500')
  expect(moneyTick(25_000, [0, 25_000])).toBe('$25K')
  expect(moneyTick(-20, [-20, 0])).toBe('−$20')
  expect(countTick(2_500_000, [0, 2_500_000])).toBe('2.5M')
})
