import { expect, test } from 'vitest'
import { hasSyncChanges, syncChanges } from './catalogue-changes.ts'

const service = (
  uid: string,
  more: { name?: string; status?: boolean; maxWeight?: number; category?: string } = {},
) => ({ uid, name: uid.toUpperCase(), status: true, maxWeight: 70, category: 'Domestic', ...more })

test('a sync that finds nothing new reports no changes', () => {
  const list = [service('a'), service('b', { status: false })]
  expect(hasSyncChanges(syncChanges(list, list))).toBe(false)
})

test('added, vanished, returned and changed services are reported by their current names', () => {
  const before = [
    service('a'),
    service('b'),
    service('c', { status: false }),
    service('d', { name: 'Old' }),
  ]
  const after = [
    service('a', { maxWeight: 50 }),
    service('b', { status: false }),
    service('c'),
    service('d', { name: 'New', category: 'Freight' }),
    service('e'),
  ]
  const changes = syncChanges(before, after)
  expect(changes).toEqual({
    added: ['E'],
    vanished: ['B'],
    returned: ['C'],
    limits: [{ name: 'A', from: 70, to: 50 }],
    categories: [{ name: 'New', from: 'Domestic', to: 'Freight' }],
  })
  expect(hasSyncChanges(changes)).toBe(true)
})
