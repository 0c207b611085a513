import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import type { FailureKind } from '#server/carriers/port.ts'
import {
  backOffMs,
  labelFileName,
  orderIdInFileName,
  verdictOnPurchase,
  verdictOnLookup,
} from './rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The n-th try of a label that has waited so long (ms), none of whose answers is missing. */
const tried = (attempt: number, waitedMs: number) => ({ attempt, waitedMs, doubtMs: null })
const failure = (kind: FailureKind, retryAfterMs?: number) => ({
  ok: false as const,
  kind,
  code: 'X',
  message: 'No luck',
  retryAfterMs,
})
const purchase = { trackingNumber: '9400', costCents: cents(593) }

test('what the carrier says decides what becomes of a label', () => {
  expect(verdictOnPurchase({ ok: true, purchase }, tried(1, 0))).toEqual({
    state: 'purchased',
    trackingNumber: '9400',
    cost: 593,
    isVoided: false,
  })
  expect(verdictOnPurchase(failure('permanent'), tried(1, 0))).toEqual({
    state: 'failed',
    reason: 'No luck',
  })
  expect(verdictOnPurchase(failure('unknown'), tried(1, 0))).toMatchObject({
    state: 'unknown',
    reason: 'Being checked with the carrier',
  })
  expect(verdictOnPurchase(failure('retryable'), tried(1, 0))).toMatchObject({
    state: 'queued',
    waitMs: 500,
  })
  expect(verdictOnPurchase(failure('account'), tried(1, 0))).toMatchObject({
    state: 'queued',
    waitMs: 60_000,
    reason: 'Waiting for the carrier account',
  })
})

test('a busy carrier is asked less and less often, never before the time that it named', () => {
  expect([1, 2, 3, 8, 40].map(attempt => backOffMs(attempt))).toEqual([
    500, 1_000, 2_000, 60_000, 60_000,
  ])
  expect(verdictOnPurchase(failure('retryable', 90_000), tried(1, 0))).toMatchObject({
    waitMs: 90_000,
  })
})

test('a label that cannot be bought for 24 hours fails when the carrier was asked once more, whoever is to blame', () => {
  expect(verdictOnPurchase(failure('retryable'), tried(400, DAY - HOUR)).state).toBe('queued')
  expect(verdictOnPurchase(failure('retryable'), tried(400, DAY + 1))).toMatchObject({
    state: 'unknown',
    refusal: 'No luck, for 24 hours',
  })
  expect(verdictOnPurchase(failure('account'), tried(400, DAY - HOUR)).state).toBe('queued')
  const refusal = 'The carrier account was not ready for 24 hours'
  expect(verdictOnPurchase(failure('account'), tried(400, DAY + 1))).toMatchObject({
    state: 'unknown',
    refusal,
  })
  const last = { unknownMs: 300, refusal }
  expect(verdictOnLookup({ found: 'not_purchased' }, last, 0, true)).toEqual({
    state: 'failed',
    reason: refusal,
  })
  expect(verdictOnLookup({ found: 'purchased', purchase }, last, 0, true).state).toBe('purchased')
  expect(verdictOnLookup({ found: 'unknown' }, last, 0, true).state).toBe('unknown')
})

test('a refusal is no proof after a question of the same round whose answer is missing: the carrier is asked, and has its time', () => {
  expect(
    verdictOnPurchase(failure('permanent'), { attempt: 2, waitedMs: 3_000, doubtMs: 2_000 }),
  ).toMatchObject({
    state: 'unknown',
    reason: 'Being checked with the carrier',
    refusal: 'No luck',
  })
  const asked = (doubtMs: number, quarantineMs: number) =>
    verdictOnLookup(
      { found: 'not_purchased' },
      { unknownMs: 500, doubtMs, refusal: 'No luck' },
      quarantineMs,
      true,
    )
  expect(asked(9_000, 0).state).toBe('unknown')
  expect(asked(10_000, 0)).toEqual({ state: 'failed', reason: 'No luck' })
  expect(asked(60_000, 120_000).state).toBe('unknown')
  expect(asked(120_000, 120_000)).toEqual({ state: 'failed', reason: 'No luck' })
})

test('a label of unknown outcome is never given up by the clock', () => {
  expect(verdictOnPurchase(failure('unknown'), tried(400, 30 * DAY)).state).toBe('unknown')
  expect(verdictOnLookup({ found: 'unknown' }, { unknownMs: 30 * DAY }, 0, true)).toMatchObject({
    state: 'unknown',
    waitMs: 60_000,
  })
})

test('not bought is believed only after the quarantine; then an open order buys, a closed one counts it as failed', () => {
  const notBought = { found: 'not_purchased' } as const
  expect(verdictOnLookup(notBought, { unknownMs: 59_000 }, 60_000, true).state).toBe('unknown')
  expect(verdictOnLookup(notBought, { unknownMs: 60_000 }, 60_000, true)).toMatchObject({
    state: 'queued',
    waitMs: 0,
  })
  expect(
    [2, 3, 4, 40].map(attempt =>
      verdictOnLookup(notBought, { unknownMs: 60_000, attempt }, 60_000, true),
    ),
  ).toMatchObject([500, 1_000, 2_000, 60_000].map(waitMs => ({ state: 'queued', waitMs })))
  expect(verdictOnLookup(notBought, { unknownMs: 600_000 }, 600_000, false).state).toBe('failed')
  expect(
    verdictOnLookup({ found: 'purchased', purchase }, { unknownMs: 0 }, 60_000, false).state,
  ).toBe('purchased')
})

test('a label is given up only when no sale of it can come any more, also where asking again would be safe at once', () => {
  const notBought = { found: 'not_purchased' } as const
  expect(verdictOnLookup(notBought, { unknownMs: 0 }, 0, true).state).toBe('queued')
  expect(verdictOnLookup(notBought, { unknownMs: 119_000 }, 0, false).state).toBe('unknown')
  expect(verdictOnLookup(notBought, { unknownMs: 120_000 }, 0, false).state).toBe('failed')
  expect(verdictOnLookup({ found: 'bought_later' }, { unknownMs: 0 }, 0, false).state).toBe(
    'failed',
  )
})

test('a label’s file name leads to its number, any other text to none', () => {
  const name = labelFileName(17, '00000000-1111-4222-8333-444444444444', true)
  expect(name).toBe('SAMPLE-label-17-00000000111142228333444444444444.pdf')
  expect(orderIdInFileName(name)).toBe(17)
  for (const other of [
    '',
    'label-17.pdf',
    `x${name}`,
    `${name}x`,
    name.replace('17', '017'),
    name.replace('17', '9'.repeat(16)),
  ]) {
    expect(orderIdInFileName(other), other).toBeNull()
  }
})
