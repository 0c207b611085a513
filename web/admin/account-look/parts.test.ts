import { expect, test } from 'vitest'
import { lookPartOf, pathWhileLooking } from './parts.ts'

test.each([
  ['/main/orders/512', '/admin/order-label-management/512'],
  ['/main/orders', '/admin/user-management/7/account/orders'],
  ['/main/dashboard', '/admin/user-management/7/account'],
  ['/main/wallet', '/admin/user-management/7/account/wallet'],
])('a link to %s leads an administrator to %s', (path, shown) => {
  expect(pathWhileLooking('7', path)).toBe(shown)
})

test.each(['/main/order-label', '/main/bulk-order?failed=5', '/main/orders/5/edit'])(
  '%s is not shown to an administrator who only looks',
  path => {
    expect(pathWhileLooking('7', path)).toBeNull()
  },
)

test('the account opens at its dashboard, and an unknown part is none', () => {
  expect(lookPartOf(undefined)).toBe('dashboard')
  expect(lookPartOf('skus')).toBe('skus')
  expect(lookPartOf('secrets')).toBeNull()
})
