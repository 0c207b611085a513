import { expect, test } from 'vitest'
import { decideOn, isPromotion, longestLoss } from './rules.ts'
import type { ComparedMark } from './rules.ts'

const mark = (changes: Partial<ComparedMark> = {}): ComparedMark => ({
  isSynchronous: true,
  isComplete: true,
  lostMs: 0,
  isStale: false,
  ...changes,
})
const absent = mark({ isComplete: null, lostMs: null })
const dead = mark({ isComplete: null, lostMs: null, isStale: true })
const asynchronous = mark({ isSynchronous: false })
const incomplete = mark({ isComplete: false, lostMs: 2_000 })

test.each([
  ['all have found theirs', [mark(), mark()], 'continue', 'continue'],
  ['one has not come yet', [mark(), absent], 'wait', 'restore'],
  ['one that had ended before is not waited for', [mark(), dead], 'continue', 'continue'],
  ['one misses something', [mark(), incomplete, absent], 'restore', 'restore'],
  ['a standby had not confirmed', [mark(), asynchronous], 'restore', 'restore'],
  [
    'a standby had not confirmed, and none has compared',
    [mark({ isSynchronous: false, isComplete: null, lostMs: null })],
    'wait',
    'restore',
  ],
  ['none ran', [], 'restore', 'restore'],
  ['all that ran have ended', [dead], 'restore', 'restore'],
] as const)('%s', (_, marks, atFirst, afterPatience) => {
  expect(decideOn(marks, false)).toBe(atFirst)
  expect(decideOn(marks, true)).toBe(afterPatience)
})

test('the loss is the longest that a process has found', () => {
  expect(longestLoss([mark(), incomplete, absent])).toBe(2_000)
  expect(longestLoss([absent])).toBeNull()
})

test('a promotion changes the timeline alone, and to a later one', () => {
  expect(isPromotion('7/00000001/5/9', '7/0000000A/5/9')).toBe(true)
  for (const now of ['7/00000001/5/9', '8/00000003/5/9', '7/00000003/6/9', '7/00000003/5/1'])
    expect(isPromotion('7/00000002/5/9', now)).toBe(false)
  expect(isPromotion('restored', '7/00000001/5/9')).toBe(false)
})
