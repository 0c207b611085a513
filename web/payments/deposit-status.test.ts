import { expect, test } from 'vitest'
import { depositLook, isOpen } from './deposit-status.ts'

test('a settled deposit is blue, an expired one yellow, any other green', () => {
  const statuses = [
    'Settled',
    'Expired',
    'New',
    'Processing',
    'Invalid',
    'Something new',
    'constructor',
  ]
  expect(statuses.map(status => depositLook(status).tone)).toEqual([
    'blue',
    'yellow',
    'green',
    'green',
    'green',
    'green',
    'green',
  ])
})

test('an invalid deposit has a sign that no good one has', () => {
  const others = ['Settled', 'Expired', 'New', 'Processing'].map(status => depositLook(status).sign)
  expect(others).not.toContain(depositLook('Invalid').sign)
})

test('only an unpaid or unconfirmed invoice may still change before our eyes', () => {
  expect(['New', 'Processing', 'Settled', 'Expired', 'Invalid'].filter(isOpen)).toEqual([
    'New',
    'Processing',
  ])
})
