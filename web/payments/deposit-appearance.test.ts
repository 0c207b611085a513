import { expect, test } from 'vitest'
import { depositAppearance, isDepositOpen } from './deposit-appearance.ts'

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
  expect(statuses.map(status => depositAppearance(status).tone)).toEqual([
    'blue',
    'yellow',
    'green',
    'green',
    'green',
    'green',
    'green',
  ])
})

test('an invalid deposit has its own icon', () => {
  const others = ['Settled', 'Expired', 'New', 'Processing'].map(
    status => depositAppearance(status).icon,
  )
  expect(others).not.toContain(depositAppearance('Invalid').icon)
})

test('only an unpaid or unconfirmed invoice may still change', () => {
  expect(['New', 'Processing', 'Settled', 'Expired', 'Invalid'].filter(isDepositOpen)).toEqual([
    'New',
    'Processing',
  ])
})
