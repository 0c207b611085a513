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
import type { LookedUpState, RecordedCredit, ProviderState } from './rules.ts'

const seen = (
  status: ProviderState['status'],
  additionalStatus: AdditionalStatus,
  paid: number,
  confirmed: number,
): ProviderState => ({ status, additionalStatus, paid: cents(paid), confirmed: cents(confirmed) })
const ARRIVED = new Date('2026-01-01T00:00:00Z')
const hoursLater = (hours: number) => new Date(ARRIVED.getTime() + hours * 3_600_000)
/** `state`, with unconfirmed money that arrived at midnight. */
const found = (state: ProviderState, expiresAt = hoursLater(0.25)): LookedUpState => ({
  ...state,
  expiresAt,
  unconfirmedSince: state.paid > state.confirmed ? ARRIVED : null,
})
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
  expect(decideCredit(found(state), recorded(net), hoursLater(1))).toEqual({
    credit,
    net: net + credit,
    review,
  })
})

test('a reversed credit is credited again when the payment becomes valid again', () => {
  const back = (status: 'Invalid' | 'Settled') =>
    decideCredit(found(seen(status, 'Marked', 2000, 0)), recorded(2000, 2000), hoursLater(1))
  expect(back('Invalid')).toEqual({ credit: 0, net: 0, review: false })
  expect(back('Settled')).toEqual({ credit: 2000, net: 2000, review: false })
})

test('a decided deposit returns to review only when its state at the provider changes', () => {
  const late = seen('Expired', 'PaidLate', 2000, 2000)
  const decided = recorded(0, 0, reviewStateKey(late, ZERO))
  const reviewOf = (state: ProviderState) =>
    decideCredit(found(state), decided, hoursLater(1)).review
  expect(reviewOf(late)).toBe(false)
  expect(reviewOf(seen('Expired', 'PaidLate', 2500, 2000))).toBe(true)
})

test('a further payment that is in no block after two weeks goes to review, until it confirms', () => {
  const further = seen('Settled', 'PaidOver', 8000, 5000)
  const after = (hours: number, state = further, reviewedAs: string | null = null) =>
    decideCredit(found(state), recorded(5000, 0, reviewedAs), hoursLater(hours))
  expect(after(14 * 24 - 1)).toEqual({ credit: 0, net: 5000, review: false })
  expect(after(14 * 24)).toEqual({ credit: 0, net: 5000, review: true })
  expect(after(14 * 24, further, reviewStateKey(further, cents(5000))).review).toBe(false)
  expect(after(14 * 24, seen('Settled', 'PaidOver', 8000, 8000))).toEqual({
    credit: 3000,
    net: 8000,
    review: false,
  })
  expect(after(14 * 24, seen('Settled', 'None', 5000, 5000)).review, 'it was replaced').toBe(false)
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
    changes: Partial<RecordedCredit> & {
      needsReview?: boolean
      lostAt?: Date
      isUserDeleted?: boolean
    } = {},
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
  const dismissed = { lostAt, reviewedAs: reviewStateKey(seen('Expired', 'None', 0, 0), ZERO) }
  expect(note(seen('Expired', 'None', 0, 0), dismissed)).toBe('Lost by the payment service')
  expect(
    note(seen('Expired', 'None', 0, 0), { lostAt }),
    'unpaid, and expired before it was lost',
  ).toBe(null)
  expect(note(seen('Settled', 'None', 500, 500), { credited: cents(500), lostAt })).toBe(null)
  expect(note(seen('Settled', 'None', 500, 500), { credited: cents(500), needsReview: true })).toBe(
    'Paid by a deleted user: in review',
  )
  const further = seen('Settled', 'PaidOver', 800, 500)
  const half = { credited: cents(500) }
  expect(note(further, half)).toBe('A further payment of $3.00 is waiting for confirmation')
  expect(note(further, { ...half, needsReview: true })).toBe(
    'A further payment of $3.00 is still not confirmed: in review',
  )
  expect(note(further, { ...half, needsReview: true, isUserDeleted: true })).toBe(
    'Paid by a deleted user: in review',
  )
  expect(note(further, { ...half, reviewedAs: reviewStateKey(further, cents(500)) })).toBe(
    'A further payment of $3.00 was not confirmed',
  )
  expect(note(further, { ...half, needsReview: true, lostAt })).toBe(
    'Lost by the payment service: in review',
  )
})

test('a late deposit that was credited and whose payment did not stay says what became of the credit', () => {
  const note = (
    state: ProviderState,
    changes: Partial<RecordedCredit> & { needsReview?: boolean },
  ) => depositNote({ ...state, ...recorded(), needsReview: false, lostAt: null, ...changes })
  const credited = { credited: cents(500) }
  for (const gone of [seen('Expired', 'None', 0, 0), seen('Expired', 'PaidLate', 500, 0)]) {
    expect(note(gone, { ...credited, needsReview: true })).toBe('Payment invalidated: in review')
    expect(note(gone, { ...credited, reversed: cents(200), needsReview: true })).toBe(
      'Payment invalidated: $3.00 of the credit still owed',
    )
    expect(note(gone, credited)).toBe('Payment invalidated: credit kept after review')
    expect(note(gone, { ...credited, reversed: cents(500) })).toBe(
      'Payment invalidated: credit reversed',
    )
  }
  const again = seen('Expired', 'PaidLate', 500, 500)
  expect(note(again, { ...credited, reversed: cents(500), needsReview: true })).toBe(
    'Paid after expiry: in review',
  )
})

test('an open invoice is looked up every minute and right after expiry, a settled one a day later', () => {
  const expiresAt = new Date('2026-01-01T00:15:00Z')
  const settledAt = new Date('2026-01-01T20:00:00Z')
  const next = (state: ProviderState, now: string) =>
    nextLookup(
      { ...found(state, expiresAt), settledAt },
      state.status === 'Settled' ? state.confirmed : ZERO,
      new Date(now),
    ).toISOString()
  expect(next(seen('New', 'None', 0, 0), '2026-01-01T00:05:00Z')).toBe('2026-01-01T00:06:00.000Z')
  expect(next(seen('New', 'None', 0, 0), '2026-01-01T00:14:30Z')).toBe('2026-01-01T00:15:01.000Z')
  expect(next(seen('Processing', 'None', 1, 0), '2026-01-01T02:00:00Z')).toBe(
    '2026-01-01T02:01:00.000Z',
  )
  expect(next(seen('Settled', 'None', 1, 1), '2026-01-01T20:00:00Z')).toBe(
    '2026-01-02T20:00:00.000Z',
  )
  expect(next(seen('Settled', 'None', 1, 1), '2026-01-02T20:00:01Z')).toBe(
    '2026-01-03T20:00:02.000Z',
  )
  expect(next(seen('Expired', 'PaidLate', 1, 0), '2026-01-02T00:00:00Z')).toBe(
    '2026-01-02T00:10:00.000Z',
  )
})

test.each([
  ['an expired', seen('Expired', 'None', 0, 0)],
  ['a late but credited', seen('Expired', 'PaidLate', 500, 500)],
  ['a settled', seen('Settled', 'None', 500, 500)],
])('%s invoice is looked up ever more rarely, and never for the last time', (_, state) => {
  const next = (days: number) =>
    nextLookup(
      { ...found(state, ARRIVED), settledAt: ARRIVED },
      state.confirmed,
      hoursLater(24 * days),
    )
  for (const days of [2, 4, 8, 1000]) expect(next(days)).toEqual(hoursLater(24 * 2 * days))
})

test('an unpaid expired invoice is looked up every ten minutes for an hour, then every hour, for two days', () => {
  const expiresAt = new Date('2026-01-01T00:00:00Z')
  const minutes = (state: ProviderState): number[] => {
    const all: number[] = []
    const end = expiresAt.getTime() + 48 * 60 * 60_000
    let now = expiresAt
    while (now.getTime() < end) {
      now = nextLookup({ ...found(state, expiresAt), settledAt: null }, ZERO, now)
      all.push((now.getTime() - expiresAt.getTime()) / 60_000)
    }
    return all
  }
  const hours = Array.from({ length: 47 }, (_, n) => (n + 2) * 60)
  expect(minutes(seen('Expired', 'None', 0, 0))).toEqual([10, 20, 30, 40, 50, 60, ...hours])
  expect(minutes(seen('Expired', 'PaidLate', 500, 500))).toHaveLength(48 * 6)
  expect(minutes(seen('Invalid', 'None', 500, 500))).toHaveLength(48 * 6)
})

test.each([
  ['a further payment', seen('Settled', 'PaidOver', 800, 500), 500],
  ['a late payment', seen('Expired', 'PaidLate', 800, 0), 0],
  ['an invalid payment', seen('Invalid', 'None', 800, 0), 0],
])('%s is looked up until it confirms, after two weeks once a day', (_, state, net) => {
  const next = (hours: number, now = state) =>
    nextLookup({ ...found(now, ARRIVED), settledAt: ARRIVED }, cents(net), hoursLater(hours))
  for (const hours of [60, 14 * 24 - 1]) expect(next(hours)).toEqual(hoursLater(hours + 1))
  for (const hours of [14 * 24, 100 * 24]) expect(next(hours)).toEqual(hoursLater(hours + 24))
  const gone = { ...state, paid: cents(net), confirmed: cents(net) }
  expect(next(60, gone), 'it is gone').toEqual(hoursLater(120))
})

test('a further payment that arrived minutes ago is looked up within the hour', () => {
  const state = { ...found(seen('Settled', 'PaidOver', 800, 500)), settledAt: ARRIVED }
  expect(nextLookup(state, cents(500), hoursLater(0.5))).toEqual(hoursLater(1.5))
})
