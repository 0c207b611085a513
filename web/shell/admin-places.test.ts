import { expect, test } from 'vitest'
import { ADMIN_PLACES, adminPlaceOf } from './admin-places.ts'

test('the sidebar has all pages of the administrator and the way back', () => {
  expect(ADMIN_PLACES.map(({ path }) => path)).toEqual([
    '/admin/dashboard',
    '/admin/user-management',
    '/admin/order-label-management',
    '/admin/referral-management',
    '/admin/default-services',
    '/admin/audit',
    '/main/dashboard',
  ])
})

test('a page below a place goes by its name, and an address that is none by no name', () => {
  expect(adminPlaceOf('/admin/audit')).toBe('Audit')
  expect(adminPlaceOf('/admin/audit/')).toBe('Audit')
  expect(adminPlaceOf('/admin/user-management/7/statement')).toBe('User Management')
  expect(adminPlaceOf('/admin/auditors')).toBeNull()
})
