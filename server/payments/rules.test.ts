import { expect, test } from 'vitest'
import { cents, ZERO } from '#contract/money.ts'
import type { AdditionalStatus } from './port.ts'
import { creditable, judge, nextLook, noteOf } from './rules.ts'
import type { Seen } from './rules.ts'

const seen = (status: Seen['status'], additionalStatus: AdditionalStatus, paid: number, confirmed: number): Seen =>
  ({ status, additionalStatus, paid: cents(paid), confirmed: cents(confirmed) })

/** One line each: what the payment service says, what was credited before; what is credited now, and whether an operator must look. */
const LIFE: [Seen, credited: number, credit: number, review: boolean][] = [
  [seen('New', 'None', 0, 0), 0, 0, false],
  [seen('New', 'PaidPartial', 300, 300), 0, 0, false],
  [seen('Processing', 'None', 2000, 0), 0, 0, false],
  [seen('Settled', 'None', 2000, 2000), 0, 2000, false],
  [seen('Settled', 'None', 2000, 2000), 2000, 0, false],
  [seen('Settled', 'PaidOver', 2500, 2500), 2000, 500, false],
  [seen('Settled', 'None', 2500, 2000), 0, 2000, false],
  [seen('Settled', 'Marked', 1500, 0), 0, 1500, false],
  [seen('Settled', 'Marked', 0, 0), 0, 0, true],
  [seen('Expired', 'None', 0, 0), 0, 0, false],
  [seen('Expired', 'PaidLate', 2000, 2000), 0, 0, true],
  [seen('Expired', 'PaidPartial', 100, 0), 0, 0, true],
  [seen('Expired', 'PaidLate', 2000, 2000), 2000, 0, false],
  [seen('Invalid', 'None', 2000, 0), 0, 0, false],
  [seen('Invalid', 'Marked', 2000, 0), 2000, 0, true],
]

test.for(LIFE)('%j with %d cents credited before credits %d', ([state, credited, credit, review]) => {
  expect(judge(state, cents(credited))).toEqual({ credit, review })
})

test('only confirmed money can be credited by an operator, and only what was not credited', () => {
  expect(creditable(seen('Expired', 'PaidLate', 500, 300), ZERO)).toBe(300)
  expect(creditable(seen('Expired', 'PaidLate', 500, 300), cents(300))).toBe(0)
})

test('a deposit says in words what its status does not', () => {
  expect(noteOf(seen('Expired', 'PaidLate', 500, 500), ZERO, true)).toBe('Paid after expiry: waiting for review')
  expect(noteOf(seen('Expired', 'PaidLate', 500, 500), cents(500), false)).toBe('Paid after expiry: credited after review')
  expect(noteOf(seen('Expired', 'PaidPartial', 500, 500), ZERO, true)).toBe('Paid in part before it expired: waiting for review')
  expect(noteOf(seen('Settled', 'PaidOver', 500, 500), cents(500), false)).toBe('Paid more than was asked: all of it is credited')
  expect(noteOf(seen('Settled', 'None', 500, 500), cents(500), false)).toBe(null)
  expect(noteOf(seen('Expired', 'None', 0, 0), ZERO, false)).toBe(null)
})

test('an open invoice is looked at each minute and right after it expires, a settled one once more after a day', () => {
  const createdAt = new Date('2026-01-01T00:00:00Z')
  const expiresAt = new Date('2026-01-01T00:15:00Z')
  const next = (state: Seen, now: string) => nextLook({ ...state, createdAt, expiresAt }, new Date(now))?.toISOString() ?? null
  expect(next(seen('New', 'None', 0, 0), '2026-01-01T00:05:00Z')).toBe('2026-01-01T00:06:00.000Z')
  expect(next(seen('New', 'None', 0, 0), '2026-01-01T00:14:30Z')).toBe('2026-01-01T00:15:01.000Z')
  expect(next(seen('Processing', 'None', 1, 0), '2026-01-01T02:00:00Z')).toBe('2026-01-01T02:01:00.000Z')
  expect(next(seen('Settled', 'None', 1, 1), '2026-01-01T00:05:00Z')).toBe('2026-01-02T00:00:00.000Z')
  expect(next(seen('Settled', 'None', 1, 1), '2026-01-02T00:00:01Z')).toBe(null)
  expect(next(seen('Expired', 'None', 0, 0), '2026-01-02T00:00:00Z')).toBe('2026-01-02T00:10:00.000Z')
  expect(next(seen('Expired', 'None', 0, 0), '2026-01-04T00:00:00Z')).toBe(null)
})
