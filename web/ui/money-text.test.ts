import { expect, test } from 'vitest'
import { parseDollars } from './money-text.ts'

test('an amount is read as people type it', () => {
  const typed = ['50', ' $50 ', '49.50', '1,250.50', '$ 100,000', '.75', '7.', '0']
  expect(typed.map(parseDollars)).toEqual([50, 50, 49.5, 1250.5, 100_000, 0.75, 7, 0])
})

test('other text is no amount', () => {
  const typed = ['', '.', '-5', '5.001', '1,5', '12,34', '1e3', 'fifty', '5 5', '9'.repeat(20)]
  expect(typed.map(parseDollars)).toEqual(typed.map(() => null))
})
