import { expect, test } from 'vitest'
import { amountProblem, parseDollars } from './amount.ts'

test('an amount is read as people type it', () => {
  const typed = ['50', ' $50 ', '49.50', '1,250.50', '$ 100,000', '.75', '7.']
  expect(typed.map(parseDollars)).toEqual([50, 50, 49.5, 1250.5, 100_000, 0.75, 7])
})

test('other text is no amount', () => {
  const typed = ['', '-5', '5.001', '1,5', '12,34', '1e3', 'fifty', '5 5']
  expect(typed.map(parseDollars)).toEqual(typed.map(() => null))
})

test('an amount that no invoice can ask for is refused with the range', () => {
  expect(['1', '49.5', '100,000'].map(amountProblem)).toEqual([null, null, null])
  expect(amountProblem(' ')).toBe('Enter an amount from $1 to $100,000.')
  expect(amountProblem('0.5')).toBe('$0.50 is out of range. Enter an amount from $1 to $100,000.')
  expect(amountProblem('100000.01')).toContain('Enter an amount from $1 to $100,000.')
  expect(amountProblem('fifty')).toBe(
    '“fifty” is not an amount. Enter dollars and cents, such as 50 or 49.50.',
  )
})
