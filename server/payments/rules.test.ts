import { expect, test } from 'vitest'
import { cents, ZERO } from '#contract/money.ts'
import type { AdditionalStatus } from './port.ts'
import {
  creditableAmount,
  decideCredit,
  nextLookup,
  depositNote,
  reversibleAmount,
  reviewStateKey,
} from './rules.ts'
import type { RecordedCredit, ProviderState } from './rules.ts'

const seen = (
  status: ProviderState['status'],
  additionalStatus: AdditionalStatus,
  paid: number,
  confirmed: number,
): ProviderState => ({ status, additionalStatus, paid: cents(paid), confirmed: cents(confirmed) })
const recorded = (
  credited = 0,
  reversed = 0,
  reviewedAs: string | null = null,
): RecordedCredit => ({
  credited: cents(credited),
  reversed: cents(reversed),
  reviewedAs,
})

/**
 * One line each: the state at the provider, the net credit; the amount to credit now, and
 * whether it needs review.
 */
const LIFE: [ProviderState, net: number, credit: number, review: boolean][] = [
  [seen('New', 'None', 0, 0), 0, 0, false],
  [seen('New', 'PaidPartial', 300, 300), 0, 0, false],
  [seen('New', 'None', 0, 0), 300, 0, true],
  [seen('Processing', 'None', 2000, 0), 0, 0, false],
  [seen('Processing', 'PaidOver', 2500, 0), 0, 0, false],
  [seen('Processing', 'None', 2000, 0), 2000, 0, true],
  [seen('Settled', 'None', 2000, 2000), 0, 2000, false],
  [seen('Settled', 'None', 2000, 2000), 2000, 0, false],
  [seen('Settled', 'PaidOver', 2500, 2500), 2000, 500, false],
  [seen('Settled', 'None', 2500, 2000), 0, 2000, false],
  [seen('Settled', 'None', 2000, 1500), 2000, 0, true],
  [seen('Settled', 'Marked', 1500, 0), 0, 1500, false],
  [seen('Settled', 'Marked', 1500, 1500), 0, 1500, false],
  [seen('Settled', 'Marked', 0, 0), 0, 0, true],
  [seen('Expired', 'None', 0, 0), 0, 0, false],
  [seen('Expired', 'PaidLate', 2000, 2000), 0, 0, true],
  [seen('Expired', 'PaidPartial', 100, 0), 0, 0, true],
  [seen('Expired', 'PaidLate', 2000, 2000), 2000, 0, false],
  [seen('Expired', 'PaidLate', 3000, 3000), 2000, 0, true],
  [seen('Invalid', 'None', 2000, 0), 0, 0, false],
  [seen('Invalid', 'Marked', 2000, 0), 2000, 0, true],
  [seen('Invalid', 'Marked', 2000, 2000), 0, 0, true],
]

test.for(LIFE)('%j with %d cents in the balance credits %d', ([state, net, credit, review]) => {
  expect(decideCredit(state, recorded(net))).toEqual({ credit, review })
})

test('a reversed credit is credited again when the payment becomes valid again', () => {
  expect(decideCredit(seen('Invalid', 'Marked', 2000, 0), recorded(2000, 2000))).toEqual({
    credit: 0,
    review: false,
  })
  expect(decideCredit(seen('Settled', 'Marked', 2000, 0), recorded(2000, 2000))).toEqual({
    credit: 2000,
    review: false,
  })
})

test('a decided deposit returns to review only when its state at the provider changes', () => {
  const late = seen('Expired', 'PaidLate', 2000, 2000)
  const decided = recorded(0, 0, reviewStateKey(late, ZERO))
  expect(decideCredit(late, decided).review).toBe(false)
  expect(decideCredit(seen('Expired', 'PaidLate', 2500, 2000), decided).review).toBe(true)
})

test('an operator can credit only the confirmed and uncredited amount', () => {
  expect(creditableAmount(seen('Expired', 'PaidLate', 500, 300), ZERO)).toBe(300)
  expect(creditableAmount(seen('Expired', 'PaidLate', 500, 300), cents(300))).toBe(0)
  expect(creditableAmount(seen('Settled', 'Marked', 0, 0), ZERO)).toBe(0)
  expect(
    creditableAmount(seen('Invalid', 'Marked', 500, 500), cents(200)),
    'the rest is owed back first',
  ).toBe(0)
})

test('an operator can reverse only a credit without a payment, and no more than that', () => {
  expect(reversibleAmount(seen('Invalid', 'Marked', 500, 500), cents(500))).toBe(500)
  expect(reversibleAmount(seen('Settled', 'None', 500, 300), cents(500))).toBe(200)
  expect(reversibleAmount(seen('Settled', 'Marked', 500, 0), cents(500))).toBe(0)
  expect(reversibleAmount(seen('Expired', 'PaidLate', 500, 500), cents(500))).toBe(0)
  expect(reversibleAmount(seen('Invalid', 'None', 0, 0), ZERO)).toBe(0)
})

test('a deposit has a note where the status is not enough', () => {
  const note = (
    state: ProviderState,
    changes: Partial<RecordedCredit> & { needsReview?: boolean; lostAt?: Date } = {},
  ) => depositNote({ ...state, ...recorded(), needsReview: false, lostAt: null, ...changes })
  const late = seen('Expired', 'PaidLate', 500, 500)
  expect(note(late, { needsReview: true })).toBe('Paid after expiry: in review')
  expect(note(late, { credited: cents(500) })).toBe('Paid after expiry: credited after review')
  expect(note(late)).toBe('Paid after expiry: not credited after review')
  expect(note(seen('Expired', 'PaidPartial', 500, 500), { needsReview: true })).toBe(
    'Partly paid before expiry: in review',
  )
  expect(note(seen('Settled', 'PaidOver', 500, 500), { credited: cents(500) })).toBe(
    'Overpaid: the full amount was credited',
  )
  expect(note(seen('Settled', 'None', 500, 500), { credited: cents(500) })).toBe(null)
  expect(note(seen('Expired', 'None', 0, 0))).toBe(null)
  const back = seen('Invalid', 'Marked', 500, 0)
  expect(note(back, { credited: cents(500), needsReview: true })).toBe(
    'Payment invalidated: in review',
  )
  expect(note(back, { credited: cents(500), reversed: cents(200), needsReview: true })).toBe(
    'Payment invalidated: $3.00 of the credit still owed',
  )
  expect(note(back, { credited: cents(500), reversed: cents(500) })).toBe(
    'Payment invalidated: credit reversed',
  )
  expect(note(back, { credited: cents(500) })).toBe('Payment invalidated: credit kept after review')
  expect(note(back)).toBe('The payment was never confirmed')
  const lostAt = new Date()
  expect(note(seen('Expired', 'None', 0, 0), { lostAt, needsReview: true })).toBe(
    'Lost by the payment service: in review',
  )
  expect(note(seen('Invalid', 'None', 500, 0), { lostAt })).toBe('Lost by the payment service')
  expect(note(seen('Settled', 'None', 500, 500), { credited: cents(500), lostAt })).toBe(null)
  expect(note(seen('Settled', 'None', 500, 500), { credited: cents(500), needsReview: true })).toBe(
    'Paid by a deleted user: in review',
  )
})

test('an open invoice is looked up every minute and right after expiry, a settled one once more a day later', () => {
  const expiresAt = new Date('2026-01-01T00:15:00Z')
  const settledAt = new Date('2026-01-01T20:00:00Z')
  const next = (state: ProviderState, now: string) =>
    nextLookup({ ...state, expiresAt, settledAt }, new Date(now))?.toISOString() ?? null
  expect(next(seen('New', 'None', 0, 0), '2026-01-01T00:05:00Z')).toBe('2026-01-01T00:06:00.000Z')
  expect(next(seen('New', 'None', 0, 0), '2026-01-01T00:14:30Z')).toBe('2026-01-01T00:15:01.000Z')
  expect(next(seen('Processing', 'None', 1, 0), '2026-01-01T02:00:00Z')).toBe(
    '2026-01-01T02:01:00.000Z',
  )
  expect(next(seen('Settled', 'None', 1, 1), '2026-01-01T20:00:00Z')).toBe(
    '2026-01-02T20:00:00.000Z',
  )
  expect(next(seen('Settled', 'None', 1, 1), '2026-01-02T20:00:01Z')).toBe(null)
  expect(next(seen('Expired', 'PaidLate', 1, 0), '2026-01-02T00:00:00Z')).toBe(
    '2026-01-02T00:10:00.000Z',
  )
  expect(next(seen('Expired', 'None', 0, 0), '2026-01-04T00:00:00Z')).toBe(null)
})

test('an unpaid expired invoice is looked up every ten minutes for an hour, then every hour, for two days', () => {
  const expiresAt = new Date('2026-01-01T00:00:00Z')
  const minutes = (state: ProviderState): number[] => {
    const all: number[] = []
    let now: Date | null = expiresAt
    while ((now = nextLookup({ ...state, expiresAt, settledAt: null }, now)) !== null)
      all.push((now.getTime() - expiresAt.getTime()) / 60_000)
    return all
  }
  const hours = Array.from({ length: 47 }, (_, n) => (n + 2) * 60)
  expect(minutes(seen('Expired', 'None', 0, 0))).toEqual([10, 20, 30, 40, 50, 60, ...hours])
  expect(minutes(seen('Expired', 'PaidLate', 500, 0))).toHaveLength(48 * 6)
  expect(minutes(seen('Invalid', 'None', 500, 0))).toHaveLength(48 * 6)
})
