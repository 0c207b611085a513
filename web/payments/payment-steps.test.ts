import { expect, test } from 'vitest'
import { newestStepText, paymentSteps } from './payment-steps.ts'

test('the last step names what was credited, not a further payment that is not confirmed', () => {
  const settled = { status: 'Settled', amount: 80, credited: 50 } as const
  expect(paymentSteps(settled).map(({ text }) => text)).toEqual([
    undefined,
    '$80.00 received',
    '$50.00 is in your balance',
  ])
  expect(newestStepText(settled)).toBe('Confirmed. $50.00 is in your balance.')
  expect(newestStepText({ ...settled, credited: 80 })).toBe('Confirmed. $80.00 is in your balance.')
})

test('a payment that is not confirmed is in no balance', () => {
  expect(newestStepText({ status: 'Processing', amount: 50, credited: 0 })).toBe(
    'Payment seen. Not confirmed yet.',
  )
})

test('an invoice that was marked as paid without a payment promises no money', () => {
  expect(newestStepText({ status: 'Settled', amount: 0, credited: 0 })).toBe('Confirmed.')
})
