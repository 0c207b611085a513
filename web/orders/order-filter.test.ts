import { expect, test } from 'vitest'
import { customerOrderFilterFrom, ORDER_FILTER_FIELDS } from './order-filter.ts'
import type { OrderFilterValues } from './order-filter.ts'

const values = (some: Partial<OrderFilterValues>): OrderFilterValues => ({
  ...(Object.fromEntries(ORDER_FILTER_FIELDS.map(field => [field, ''])) as OrderFilterValues),
  ...some,
})

test('each field of the URL filters the list, and an empty one does not', () => {
  expect(customerOrderFilterFrom(values({}))).toEqual({})
  const all = {
    search: 'june',
    status: 'completed',
    parcel: 'moving',
    service: 'usps:PRIORITY_MAIL',
    batchId: '5',
  } as const
  expect(customerOrderFilterFrom(values(all))).toEqual(all)
  const { from, to } = customerOrderFilterFrom(values({ from: '2026-11-20', to: '2026-11-20' }))
  expect(Date.parse(to!) - Date.parse(from!)).toBe(24 * 60 * 60 * 1000 - 1)
})

test('an invalid value in an old link filters nothing', () => {
  const old = { status: 'sold', parcel: 'lost', service: 'a b', batchId: 'x', from: 'today' }
  expect(customerOrderFilterFrom(values(old))).toEqual({})
})
