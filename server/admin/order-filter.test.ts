import { expect, test } from 'vitest'
import { isNarrowed, wantedBy } from './order-filter.ts'

test('a status stands for its states, and only those that the state allows too', () => {
  expect(wantedBy({ status: 'pending' }).states).toEqual(['queued', 'purchasing', 'unknown'])
  expect(wantedBy({ status: 'completed' }).states).toEqual(['purchased', 'voiding'])
  expect(wantedBy({ status: 'pending', state: 'unknown' }).states).toEqual(['unknown'])
  expect(wantedBy({ status: 'completed', state: 'unknown' }).states).toEqual([])
})

test('nothing asked for is no filter', () => {
  expect(isNarrowed(wantedBy({ search: ' ' }))).toBe(false)
  expect(isNarrowed(wantedBy({ userId: '7' }))).toBe(true)
})
