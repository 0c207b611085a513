import { expect, test } from 'vitest'
import { linesOf, orderOf } from './detail.ts'

test('figures and names around an entry read as lines, whatever they are', () => {
  const detail = {
    from: 10, invitedBy: 7, mailed: false, services: ['A', 'B'], seen: { network: '10.0.0.0/24' }, reason: '', gone: null, none: [],
  }
  expect(linesOf(detail).map(({ name, value }) => `${name}: ${value}`))
    .toEqual(['From: 10', 'Invited by: 7', 'Mailed: no', 'Services: A, B', 'Seen: Network: 10.0.0.0/24'])
  expect(linesOf({})).toEqual([])
})

test('an entry about a label leads to it', () => {
  expect([orderOf({ orderId: 81 }), orderOf({ orderId: '81' })]).toEqual(['81', '81'])
  expect([orderOf({}), orderOf({ orderId: 'x/1' }), orderOf({ orderId: { id: 1 } })]).toEqual([null, null, null])
})
