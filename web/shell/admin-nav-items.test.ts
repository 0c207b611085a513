import { expect, test } from 'vitest'
import { ADMIN_NAV_ITEMS, adminPageTitleFor } from './admin-nav-items.ts'

test('the admin sidebar has all pages and the link back', () => {
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

test('a subpage has the title of its page, and an unknown path has none', () => {
  expect(adminPageTitleFor('/admin/audit')).toBe('Audit')
  expect(adminPageTitleFor('/admin/audit/')).toBe('Audit')
  expect(adminPageTitleFor('/admin/user-management/7/statement')).toBe('User Management')
  expect(adminPageTitleFor('/admin/auditors')).toBeNull()
})
