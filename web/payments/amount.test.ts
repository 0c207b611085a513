import { expect, test } from 'vitest'
import { afterDeposit, amountProblem } from './amount.ts'

test('an amount that no invoice can ask for is refused with the range', () => {
  expect(['1', '49.5', '100,000'].map(amountProblem)).toEqual([null, null, null])
  expect(amountProblem(' ')).toBe('Enter an amount from $1 to $100,000.')
  expect(amountProblem('0.5')).toBe('$0.50 is out of range. Enter an amount from $1 to $100,000.')
  expect(amountProblem('100000.01')).toContain('Enter an amount from $1 to $100,000.')
  expect(amountProblem('fifty')).toBe(
    '“fifty” is not an amount. Enter dollars and cents, such as 50 or 49.50.',
  )
})

test('what is still due is taken from the next deposit before it is promised', () => {
  expect(afterDeposit(50, { balance: 0, due: 12 })).toEqual({ usable: 38, balance: 38 })
  expect(afterDeposit(50, { balance: 3.1, due: 0 })).toEqual({ usable: 50, balance: 53.1 })
  expect(afterDeposit(50, { balance: 0, due: 12.1 })).toEqual({ usable: 37.9, balance: 37.9 })
  expect(afterDeposit(10, { balance: 0, due: 12 })).toEqual({ usable: 0, balance: 0 })
})
