import { expect, test } from 'vitest'
import { hasSyncChanges, syncChanges } from './catalogue-changes.ts'

const service = (
  uid: string,
  more: { name?: string; status?: boolean; maxWeight?: number; category?: string } = {},
) => ({ uid, name: uid.toUpperCase(), status: true, maxWeight: 70, category: 'Domestic', ...more })

test('a look that found nothing new has changed nothing', () => {
  const list = [service('a'), service('b', { status: false })]
  expect(hasSyncChanges(syncChanges(list, list))).toBe(false)
})

test('what came, went, came back and got other limits is told by the names of now', () => {
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
