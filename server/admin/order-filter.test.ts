import { expect, test } from 'vitest'
import { hasFilter, toOrderQuery } from './order-filter.ts'

test('a status filter selects its states, limited by the state filter', () => {
  expect(toOrderQuery({ status: 'pending' }).states).toEqual(['queued', 'purchasing', 'unknown'])
  expect(toOrderQuery({ status: 'completed' }).states).toEqual(['purchased', 'voiding'])
  expect(toOrderQuery({ status: 'pending', state: 'unknown' }).states).toEqual(['unknown'])
  expect(toOrderQuery({ status: 'completed', state: 'unknown' }).states).toEqual([])
})

test('an empty query is no filter', () => {
  expect(hasFilter(toOrderQuery({ search: ' ' }))).toBe(false)
  expect(hasFilter(toOrderQuery({ userId: '7' }))).toBe(true)
})
