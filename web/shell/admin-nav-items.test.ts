import { expect, test } from 'vitest'
import { ADMIN_NAV_ITEMS, adminPageLayoutFor, adminPageTitleFor } from './admin-nav-items.ts'

test('the admin sidebar has all pages and the link back', () => {
  expect(ADMIN_NAV_ITEMS.map(({ path }) => path)).toEqual([
    '/admin/dashboard',
    '/admin/user-management',
    '/admin/order-label-management',
    '/admin/referral-management',
    '/admin/default-services',
    '/admin/adjustments',
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

test('the list of labels and the charts use a wide window, the page of one label does not', () => {
  expect(adminPageLayoutFor('/admin/order-label-management')).toBe('table')
  expect(adminPageLayoutFor('/admin/order-label-management/one-label')).toBe('form')
  expect(adminPageLayoutFor('/admin/user-management/7/statement')).toBe('table')
  expect(adminPageLayoutFor('/admin/dashboard')).toBe('table')
  expect(adminPageLayoutFor('/admin/default-services')).toBe('form')
})
