import { expect, test } from 'vitest'
import { depositAppearance, isDepositOpen, listedAmount } from './deposit-appearance.ts'

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

test('a settled deposit is listed with what was credited, without a further payment that is not confirmed', () => {
  const settled = { status: 'Settled', amount: 80, credited: 50 }
  expect(listedAmount(settled)).toBe(50)
  expect(listedAmount({ ...settled, credited: 80 })).toBe(80)
  expect(listedAmount({ ...settled, amount: 30 }), 'a payment did not stay').toBe(30)
})

test('a deposit that is not settled is listed with what was paid', () => {
  for (const status of ['Processing', 'Expired', 'Invalid'])
    expect(listedAmount({ status, amount: 80, credited: 0 })).toBe(80)
})
