import { expect, test } from 'vitest'
import type { Role } from '#contract/accounts.ts'
import {
  isVisibleTo,
  leadsToPage,
  NAV_ITEMS,
  navItemsFor,
  pageLayoutFor,
  pageTitleFor,
} from './nav-items.ts'

test("the header's title follows the path", () => {
  expect(pageTitleFor('/main/orders', 'Welcome')).toBe('Orders')
  expect(pageTitleFor('/main/orders/81', 'Welcome')).toBe('Orders')
  expect(pageTitleFor('/main/batch-orders/', 'Welcome')).toBe('Batch Orders')
  expect(pageTitleFor('/main/account', 'Welcome')).toBe('Account')
})

test('lists use a wide window, forms stay at a width that is read', () => {
  expect(pageLayoutFor('/main/orders')).toBe('table')
  expect(pageLayoutFor('/main/wallet/')).toBe('table')
  expect(pageLayoutFor('/main/order-label')).toBe('form')
  expect(pageLayoutFor('/main/orders/one-label')).toBe('table')
  expect(pageLayoutFor('/main/nowhere')).toBe('form')
})

test('a page that is not in the sidebar belongs to the entry that leads to it', () => {
  const marked = (path: string) =>
    NAV_ITEMS.filter(item => leadsToPage(item, path)).map(item => item.title)
  expect(marked('/main/refunds')).toEqual(['Orders'])
  expect(marked('/main/end-of-day/')).toEqual(['Orders'])
  expect(marked('/main/batch-orders/end-of-day')).toEqual(['Batch Orders'])
  expect(marked('/main/batch-orders')).toEqual([])
})

test('an unknown path has the title Welcome', () => {
  expect(pageTitleFor('/main/nowhere', 'Welcome')).toBe('Welcome')
})

test('entries of a group are adjacent, so that each rule is drawn once', () => {
  const groups = NAV_ITEMS.map(item => item.group)
  expect(groups.filter((group, at) => group !== groups[at - 1])).toHaveLength(new Set(groups).size)
})

test('only friends and administrators see Invites, and only administrators see the admin panel', () => {
  const titlesFor = (role: Role) => NAV_ITEMS.filter(isVisibleTo(role)).map(item => item.title)
  const user = [
    'Dashboard',
    'Order Label',
    'Bulk Order',
    'Orders',
    'Batch Orders',
    'Deposit',
    'Address',
    'SKU Management',
    'Modal Demo',
  ]
  expect(titlesFor('user')).toEqual(user)
  expect(titlesFor('friend')).toEqual([...user.slice(0, -1), 'Invites', 'Modal Demo'])
  expect(titlesFor('admin')).toEqual([...titlesFor('friend'), 'Admin Panel'])
})

test('each user has the Modal Demo in the sidebar, unless the operator switched it off', () => {
  const titlesOf = (withDemo: boolean) => navItemsFor('user', withDemo).map(({ title }) => title)
  expect(titlesOf(true)).toContain('Modal Demo')
  expect(titlesOf(false)).toEqual(titlesOf(true).filter(title => title !== 'Modal Demo'))
})
