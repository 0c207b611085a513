import { expect, test } from 'vitest'
import { recordIdOf, detailLines } from './details.ts'

test('recorded values of every type are shown as lines', () => {
  const detail = {
    from: 10,
    invitedBy: 7,
    mailed: false,
    services: ['A', 'B'],
    seen: { network: '10.0.0.0/24' },
    reason: '',
    gone: null,
    none: [],
  }
  expect(detailLines(detail).map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'From: 10',
    'Invited by: 7',
    'Mailed: no',
    'Services: A, B',
    'Seen: Network: 10.0.0.0/24',
  ])
  expect(detailLines({})).toEqual([])
})

test('a recorded id becomes a link', () => {
  expect([recordIdOf(81), recordIdOf('81')]).toEqual(['81', '81'])
  expect([recordIdOf(undefined), recordIdOf('x/1'), recordIdOf({ id: 1 }), recordIdOf(0)]).toEqual([
    null,
    null,
    null,
    null,
  ])
})
