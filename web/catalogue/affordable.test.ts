import { expect, test } from 'vitest'
import { affordableCount } from './affordable.ts'

test('a balance is enough for whole labels only', () => {
  expect(affordableCount(12.99, 6.5)).toBe(1)
  expect(affordableCount(13, 6.5)).toBe(2)
  expect(affordableCount(6.49, 6.5)).toBe(0)
})

test('cents are counted, not fractions of dollars', () => {
  expect(affordableCount(0.3, 0.1)).toBe(3)
  expect(affordableCount(1284.4, 6)).toBe(214)
})

test('no count is shown while the price is unknown or 0', () => {
  expect(affordableCount(100, null)).toBeNull()
  expect(affordableCount(100, undefined)).toBeNull()
  expect(affordableCount(100, 0)).toBeNull()
})
