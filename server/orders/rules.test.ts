import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import type { FailureKind } from '#server/carriers/port.ts'
import { backOffMs, labelName, orderIdInName, verdictOn, verdictOnLookup } from './rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const failure = (kind: FailureKind, retryAfterMs?: number) => ({ ok: false as const, kind, code: 'X', message: 'No luck', retryAfterMs })
const purchase = { trackingNumber: '9400', costCents: cents(593) }

test('what the carrier says decides what becomes of a label', () => {
  expect(verdictOn({ ok: true, purchase }, 1, 0)).toEqual({ state: 'purchased', trackingNumber: '9400', cost: 593, isVoided: false })
  expect(verdictOn(failure('permanent'), 1, 0)).toEqual({ state: 'failed', reason: 'No luck' })
  expect(verdictOn(failure('unknown'), 1, 0)).toMatchObject({ state: 'unknown', reason: 'Being checked with the carrier' })
  expect(verdictOn(failure('retryable'), 1, 0)).toMatchObject({ state: 'queued', waitMs: 500 })
  expect(verdictOn(failure('account'), 1, 0)).toMatchObject({ state: 'queued', waitMs: 60_000, reason: 'Waiting for the carrier account' })
})

test('a busy carrier is asked less and less often, never before the time that it named', () => {
  expect([1, 2, 3, 8, 40].map(attempt => backOffMs(attempt))).toEqual([500, 1_000, 2_000, 60_000, 60_000])
  expect(verdictOn(failure('retryable', 90_000), 1, 0)).toMatchObject({ waitMs: 90_000 })
})

test('a label that cannot be bought for 24 hours fails, whoever is to blame, and can be retried', () => {
  expect(verdictOn(failure('retryable'), 400, DAY - HOUR).state).toBe('queued')
  expect(verdictOn(failure('retryable'), 400, DAY + 1)).toEqual({ state: 'failed', reason: 'No luck, for 24 hours' })
  expect(verdictOn(failure('account'), 400, DAY - HOUR).state).toBe('queued')
  expect(verdictOn(failure('account'), 400, DAY + 1)).toEqual({ state: 'failed', reason: 'The carrier account was not ready for 24 hours' })
})

test('a label of unknown outcome is never given up by the clock', () => {
  expect(verdictOn(failure('unknown'), 400, 30 * DAY).state).toBe('unknown')
  expect(verdictOnLookup({ found: 'unknown' }, 30 * DAY, 0, true)).toMatchObject({ state: 'unknown', waitMs: 60_000 })
})

test('not bought is believed only after the quarantine; then an open order buys, a closed one counts it as failed', () => {
  const notBought = { found: 'not_purchased' } as const
  expect(verdictOnLookup(notBought, 59_000, 60_000, true).state).toBe('unknown')
  expect(verdictOnLookup(notBought, 60_000, 60_000, true)).toMatchObject({ state: 'queued', waitMs: 0 })
  expect([2, 3, 4, 40].map(attempt => verdictOnLookup(notBought, 60_000, 60_000, true, attempt)))
    .toMatchObject([500, 1_000, 2_000, 60_000].map(waitMs => ({ state: 'queued', waitMs })))
  expect(verdictOnLookup(notBought, 600_000, 600_000, false).state).toBe('failed')
  expect(verdictOnLookup({ found: 'purchased', purchase }, 0, 60_000, false).state).toBe('purchased')
})

test('a label is given up only when no sale of it can come any more, also where asking again would be safe at once', () => {
  const notBought = { found: 'not_purchased' } as const
  expect(verdictOnLookup(notBought, 0, 0, true).state).toBe('queued')
  expect(verdictOnLookup(notBought, 119_000, 0, false).state).toBe('unknown')
  expect(verdictOnLookup(notBought, 120_000, 0, false).state).toBe('failed')
  expect(verdictOnLookup({ found: 'bought_later' }, 0, 0, false).state).toBe('failed')
})

test('a label’s file name leads to its number, any other text to none', () => {
  const name = labelName(17, '00000000-1111-4222-8333-444444444444', true)
  expect(name).toBe('SAMPLE-label-17-00000000111142228333444444444444.pdf')
  expect(orderIdInName(name)).toBe(17)
  for (const other of ['', 'label-17.pdf', `x${name}`, `${name}x`, name.replace('17', '017'), name.replace('17', '9'.repeat(16))]) {
    expect(orderIdInName(other), other).toBeNull()
  }
})
