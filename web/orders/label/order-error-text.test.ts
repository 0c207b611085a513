import { expect, test } from 'vitest'
import { orderErrorText, refusedLabelText } from './order-error-text.ts'

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

test('a label that the carrier refused says what to change', () => {
  const text = (reason: string) => refusedLabelText(`The label was not bought: ${reason}`)
  expect(text('Address not deliverable')).toBe('Address not deliverable. Check street and ZIP.')
  expect(text('the weight is over 70 lb.')).toBe('The weight is over 70 lb. Check the weight.')
  expect(text('The carrier is busy')).toBe('The carrier is busy')
})
