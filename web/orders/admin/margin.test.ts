import { expect, test } from 'vitest'
import { marginOf } from './margin.ts'

test('the margin of a bought label is its price less the carrier cost', () => {
  expect(marginOf({ state: 'purchased', price: 9.5, cost: 7.35 })).toBe(2.15)
  expect(marginOf({ state: 'voided', price: 9.5, cost: 7.35 })).toBeNull()
  expect(marginOf({ state: 'queued', price: 9.5, cost: null })).toBeNull()
})
