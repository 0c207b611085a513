import { expect, test } from 'vitest'
import type { Role } from '#contract/accounts.ts'
import { isFor, PLACES, titleOf } from './places.ts'

test('the header is titled by the path', () => {
  expect(titleOf('/main/orders', 'Welcome')).toBe('Orders')
  expect(titleOf('/main/batch-orders/', 'Welcome')).toBe('Batch Orders')
  expect(titleOf('/main/account', 'Welcome')).toBe('Account')
})

test('an unknown path is greeted', () => {
  expect(titleOf('/main/nowhere', 'Welcome')).toBe('Welcome')
})

test('groups stand together, so that each rule is drawn once', () => {
  const groups = PLACES.map(place => place.group)
  expect(groups.filter((group, at) => group !== groups[at - 1])).toHaveLength(new Set(groups).size)
})

test('a user has no invites in the sidebar, a friend has, and only administrators have the admin panel', () => {
  const titlesFor = (role: Role) => PLACES.filter(isFor(role)).map(place => place.title)
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
