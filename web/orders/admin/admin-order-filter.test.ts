import { expect, test } from 'vitest'
import {
  ADMIN_ORDER_FILTER_FIELDS,
  adminOrderFilterFrom,
  isBatchIdOrEmpty,
} from './admin-order-filter.ts'
import type { AdminOrderFilterValues } from './admin-order-filter.ts'

const values = (some: Partial<AdminOrderFilterValues>): AdminOrderFilterValues => ({
  ...(Object.fromEntries(
    ADMIN_ORDER_FILTER_FIELDS.map(field => [field, '']),
  ) as AdminOrderFilterValues),
  ...some,
})

test('an empty URL filters nothing', () => {
  expect(adminOrderFilterFrom(values({}))).toEqual({})
})

test('each field of the URL filters the list', () => {
  expect(
    adminOrderFilterFrom(
      values({
        search: '9800 1000',
        state: 'unknown',
        parcel: 'moving',
        userId: '7',
        batchId: '#12',
      }),
    ),
  ).toEqual({ search: '9800 1000', state: 'unknown', parcel: 'moving', userId: '7', batchId: '12' })
  const { from, to } = adminOrderFilterFrom(values({ from: '2026-11-20', to: '2026-11-20' }))
  expect(new Date(to!).getTime() - new Date(from!).getTime()).toBe(24 * 60 * 60 * 1000 - 1)
})

test('an invalid URL filters nothing', () => {
  expect(
    adminOrderFilterFrom(
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

test('the filter accepts the number of a bulk order', () => {
  expect(['', '12', '# 12'].every(isBatchIdOrEmpty)).toBe(true)
  expect(['a', '1.5', '0', '-3'].some(isBatchIdOrEmpty)).toBe(false)
})
