import { expect, test } from 'vitest'
import { ADMIN_NAV_ITEMS, adminPageTitleFor } from './admin-nav-items.ts'

test('the sidebar has all pages of the administrator and the way back', () => {
  expect(ADMIN_NAV_ITEMS.map(({ path }) => path)).toEqual([
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
  expect(adminPageTitleFor('/admin/audit')).toBe('Audit')
  expect(adminPageTitleFor('/admin/audit/')).toBe('Audit')
  expect(adminPageTitleFor('/admin/user-management/7/statement')).toBe('User Management')
  expect(adminPageTitleFor('/admin/auditors')).toBeNull()
})
