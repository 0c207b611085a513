import { expect, test } from 'vitest'
import { wishOf } from './filter.ts'

test('each field of the address narrows the list, and an empty one asks for everything', () => {
  expect(wishOf({ search: '', status: '', parcel: '' })).toEqual({})
  const all = { search: 'june', status: 'completed', parcel: 'moving' } as const
  expect(wishOf(all)).toEqual(all)
})

test('an old link that makes no sense narrows nothing', () => {
  expect(wishOf({ search: '', status: 'sold', parcel: 'lost' })).toEqual({})
})
