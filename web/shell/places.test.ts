import { expect, test } from 'vitest'
import { PLACES, titleOf } from './places.ts'

test('the header is titled by the path', () => {
  expect(titleOf('/main/orders', 'Welcome')).toBe('Orders')
  expect(titleOf('/main/batch-orders/', 'Welcome')).toBe('Batch Orders')
})

test('an unknown path is greeted', () => {
  expect(titleOf('/main/nowhere', 'Welcome')).toBe('Welcome')
})

test('groups stand together, so that each rule is drawn once', () => {
  const groups = PLACES.map(place => place.group)
  expect(groups.filter((group, at) => group !== groups[at - 1])).toHaveLength(new Set(groups).size)
})
