import { expect, test } from 'vitest'
import { FIELDS, filterOf, isBatch } from './filter.ts'
import type { FilterValues } from './filter.ts'

const values = (some: Partial<FilterValues>): FilterValues => ({
  ...(Object.fromEntries(FIELDS.map(field => [field, ''])) as FilterValues),
  ...some,
})

test('an empty address asks for everything', () => {
  expect(filterOf(values({}))).toEqual({})
})

test('each field of the address narrows the list', () => {
  expect(
    filterOf(
      values({
        search: '9800 1000',
        state: 'unknown',
        parcel: 'moving',
        userId: '7',
        batchId: '#12',
      }),
    ),
  ).toEqual({ search: '9800 1000', state: 'unknown', parcel: 'moving', userId: '7', batchId: '12' })
  const { from, to } = filterOf(values({ from: '2026-11-20', to: '2026-11-20' }))
  expect(new Date(to!).getTime() - new Date(from!).getTime()).toBe(24 * 60 * 60 * 1000 - 1)
})

test('an address that makes no sense narrows nothing', () => {
  expect(
    filterOf(
      values({
        status: 'sold',
        state: 'lost',
        parcel: 'sea',
        userId: 'me',
        batchId: '0',
        from: 'today',
      }),
    ),
  ).toEqual({})
})

test('a bulk order is named by its number', () => {
  expect(['', '12', '# 12'].every(isBatch)).toBe(true)
  expect(['a', '1.5', '0', '-3'].some(isBatch)).toBe(false)
})
