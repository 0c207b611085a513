import { expect, test } from 'vitest'
import { customerOrderFilterFrom } from './order-filter.ts'

test('each field of the address narrows the list, and an empty one asks for everything', () => {
  expect(customerOrderFilterFrom({ search: '', status: '', parcel: '' })).toEqual({})
  const all = { search: 'june', status: 'completed', parcel: 'moving' } as const
  expect(customerOrderFilterFrom(all)).toEqual(all)
})

test('an old link that makes no sense narrows nothing', () => {
  expect(customerOrderFilterFrom({ search: '', status: 'sold', parcel: 'lost' })).toEqual({})
})
