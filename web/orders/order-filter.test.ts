import { expect, test } from 'vitest'
import { customerOrderFilterFrom } from './order-filter.ts'

test('each field of the URL filters the list, and an empty one does not', () => {
  expect(customerOrderFilterFrom({ search: '', status: '', parcel: '' })).toEqual({})
  const all = { search: 'june', status: 'completed', parcel: 'moving' } as const
  expect(customerOrderFilterFrom(all)).toEqual(all)
})

test('an invalid value in an old link filters nothing', () => {
  expect(customerOrderFilterFrom({ search: '', status: 'sold', parcel: 'lost' })).toEqual({})
})
