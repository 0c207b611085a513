import { expect, test } from 'vitest'
import { isNarrowed, soughtIn, wantedBy } from './order-filter.ts'

test.each([
  ['', null],
  ['  ', null],
  ['81', { id: 81, tracking: null, text: '81' }],
  ['#81', { id: 81, tracking: null, text: '#81' }],
  ['9800 0000 0000 0000 0000 17', { id: null, tracking: '9800000000000000000017', text: '9800 0000 0000 0000 0000 17' }],
  ['0017', { id: 17, tracking: '0017', text: '0017' }],
  ['111-4820448', { id: null, tracking: '1114820448', text: '111-4820448' }],
  [' Rivera ', { id: null, tracking: null, text: 'Rivera' }],
])('%j is understood', (typed, sought) => {
  expect(soughtIn(typed)).toEqual(sought)
})

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
