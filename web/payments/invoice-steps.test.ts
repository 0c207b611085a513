import { expect, test } from 'vitest'
import { checkoutPage, invoiceSteps, remainingText } from './invoice-steps.ts'

test('a paid invoice goes from waiting to seen to confirmed', () => {
  expect(invoiceSteps({ status: 'New', amount: 0 })).toEqual(['current', 'ahead', 'ahead'])
  expect(invoiceSteps({ status: 'Processing', amount: 50 })).toEqual(['done', 'current', 'ahead'])
  expect(invoiceSteps({ status: 'Settled', amount: 50 })).toEqual(['done', 'done', 'done'])
})

test('an unpaid invoice that expired stops at waiting, one paid late stops before the balance', () => {
  expect(invoiceSteps({ status: 'Expired', amount: 0 })).toEqual(['stopped', 'ahead', 'ahead'])
  expect(invoiceSteps({ status: 'Expired', amount: 50 })).toEqual(['done', 'done', 'stopped'])
  expect(invoiceSteps({ status: 'Invalid', amount: 50 })).toEqual(['done', 'done', 'stopped'])
})

test('the link to the checkout page ends with its invoice', () => {
  const invoice = { id: 'a', status: 'New', checkoutLink: 'https://pay.example/i/a' } as const
  expect(checkoutPage(invoice, 'a')).toBe('https://pay.example/i/a')
  expect(checkoutPage(invoice, null)).toBeNull()
  expect(checkoutPage({ ...invoice, status: 'Processing' }, 'a')).toBeNull()
  expect(checkoutPage({ ...invoice, id: 'b' }, 'a')).toBeNull()
})

test('the time left is told in minutes and seconds, and ends at zero', () => {
  expect(remainingText(905_000, 0)).toBe('15:05')
  expect(remainingText(61_400, 0)).toBe('1:01')
  expect(remainingText(0, 5_000)).toBe('0:00')
})
