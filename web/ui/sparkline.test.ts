import { expect, test } from 'vitest'
import { sparklinePoints } from './sparkline.ts'

test('the line runs from left to right, with zero at the bottom and the maximum on top', () => {
  expect(sparklinePoints([0, 5, 10])).toEqual({ points: '3,25 44,14 85,3', end: { x: 85, y: 3 } })
})

test('a negative value is the bottom', () => {
  expect(sparklinePoints([-10, 0, 10]).points).toBe('3,25 44,14 85,3')
})

test('zeros are a flat line, one value is a point, no values draw nothing', () => {
  expect(sparklinePoints([0, 0]).points).toBe('3,25 85,25')
  expect(sparklinePoints([7])).toEqual({ points: '3,3', end: { x: 3, y: 3 } })
  expect(sparklinePoints([])).toEqual({ points: '', end: null })
})
