import { expect, test } from 'vitest'
import { sparklineBars } from './sparkline.ts'

test('the bars run from left to right over the whole width, the highest over the whole height', () => {
  expect(sparklineBars([0, 5, 10])).toEqual([
    { x: 0, y: 27, width: 28, height: 1 },
    { x: 30, y: 14, width: 28, height: 14 },
    { x: 60, y: 0, width: 28, height: 28 },
  ])
})

test('a negative value hangs below the baseline', () => {
  expect(sparklineBars([-10, 10])).toMatchObject([
    { y: 14, height: 14 },
    { y: 0, height: 14 },
  ])
})

test('no values draw nothing', () => {
  expect(sparklineBars([])).toEqual([])
})
