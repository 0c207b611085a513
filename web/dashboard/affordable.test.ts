import { expect, test } from 'vitest'
import { affordable } from './affordable.ts'

test('a balance is enough for whole labels only', () => {
  expect(affordable(12.99, 6.5)).toBe(1)
  expect(affordable(13, 6.5)).toBe(2)
  expect(affordable(6.49, 6.5)).toBe(0)
})

test('cents are counted, not fractions of dollars', () => {
  expect(affordable(0.3, 0.1)).toBe(3)
  expect(affordable(1284.4, 6)).toBe(214)
})

test('nothing is promised while the price is not known or nothing is charged', () => {
  expect(affordable(100, null)).toBeNull()
  expect(affordable(100, undefined)).toBeNull()
  expect(affordable(100, 0)).toBeNull()
})
