import { expect, test } from 'vitest'
import { orderErrorText } from './order-error-text.ts'

test('a refused order says why, without the prefix and with a capital', () => {
  expect(orderErrorText('Carrier: address not deliverable')).toBe('Address not deliverable')
  expect(orderErrorText('a: b: c')).toBe('B: c')
  expect(orderErrorText('insufficient balance')).toBe('Insufficient balance')
})

test('without a reason the error is unknown', () => {
  expect(['', null, undefined, 'Carrier: '].map(orderErrorText)).toEqual(
    Array(4).fill('An Unknown Error Occurred'),
  )
})
