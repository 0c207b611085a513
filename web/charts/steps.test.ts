import { expect, test } from 'vitest'
import { lossSpans, marginOf, namesTouch, stepAt } from './steps.ts'

const steps = [
  { from: 1, to: 20, price: 6.5 },
  { from: 21, to: 30, price: null },
  { from: 31, to: 70, price: 9.5 },
]
const costs = [
  { pounds: 1, cost: 4.1 },
  { pounds: 5, cost: 6.4 },
  { pounds: 6, cost: 6.8 },
  { pounds: 7, cost: 7.2 },
  { pounds: 40, cost: 12 },
]

test('the margin of a range is between its lightest and its heaviest known parcel', () => {
  expect(marginOf(steps[0]!, costs)).toEqual({ low: -0.7, high: 2.4, known: [1, 5, 6, 7] })
})

test('no margin is named without a price or a known cost', () => {
  expect(marginOf(steps[1]!, [{ pounds: 22, cost: 5 }])).toBeNull()
  expect(marginOf({ from: 8, to: 9, price: 5 }, costs)).toBeNull()
})

test('pounds sold below cost are spans, a pound without a price is none', () => {
  expect(lossSpans(steps, [...costs, { pounds: 25, cost: 9 }])).toEqual([
    { from: 6, to: 7 },
    { from: 40, to: 40 },
  ])
  expect(stepAt(steps, 25)).toBeNull()
})

test('names of costs touch where their pounds are near and their amounts alike', () => {
  const dots = (...places: [x: number, y: number][]) =>
    places.map(([x, y]) => ({ x, y, width: 48 }))
  expect(namesTouch(dots([20, 50], [46, 50]))).toBe(true)
  expect(namesTouch(dots([20, 50], [200, 50], [240, 60]))).toBe(true)
  expect(namesTouch(dots([20, 50], [70, 50]))).toBe(false)
  expect(namesTouch(dots([20, 50], [46, 90]))).toBe(false)
})
