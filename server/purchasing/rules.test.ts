import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import type { FailureKind } from '#server/carriers/port.ts'
import { backOffMs } from '#server/carriers/rules.ts'
import { attemptOf, verdictOnLookup, verdictOnPurchase } from './rules.ts'
import type { UnknownHistory } from './rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The `attempt`-th attempt after `waitedMs`, with no missing answer. */
const tried = (attempt: number, waitedMs: number) => ({ attempt, waitedMs, doubtMs: null })
const failure = (kind: FailureKind, retryAfterMs?: number) => ({
  ok: false as const,
  kind,
  code: 'X',
  message: 'No luck',
  retryAfterMs,
})
const purchase = { trackingNumber: '9400', costCents: cents(593) }

test('the carrier is told when an earlier call for the label may have reached it', () => {
  const label = { id: 7, round: 2, attempt: 1, doubtMs: null }
  expect(attemptOf(label)).toEqual({ reference: '7', round: 2 })
  expect(attemptOf({ ...label, attempt: 2 }).mayBeKnown).toBe(true)
  expect(attemptOf({ ...label, doubtMs: 0 }).mayBeKnown).toBe(true)
})

test('the carrier’s answer decides the state of a label', () => {
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

test('a busy carrier is called less and less often, and never before the time it named', () => {
  expect([1, 2, 3, 8, 40].map(attempt => backOffMs(attempt))).toEqual([
    500, 1_000, 2_000, 60_000, 60_000,
  ])
  expect(verdictOnPurchase(failure('retryable', 90_000), tried(1, 0))).toMatchObject({
    waitMs: 90_000,
  })
})

test('a label that cannot be bought for 24 hours fails after one more look-up', () => {
  expect(verdictOnPurchase(failure('retryable'), tried(400, DAY - HOUR)).state).toBe('queued')
  expect(verdictOnPurchase(failure('retryable'), tried(400, DAY + 1))).toMatchObject({
    state: 'unknown',
    refusal: 'No luck; not accepted within 24 hours',
  })
  expect(verdictOnPurchase(failure('account'), tried(400, DAY - HOUR)).state).toBe('queued')
  const refusal = 'The carrier account is not ready; not accepted within 24 hours'
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

test('a label that waited for days without a try is tried ten times before it fails', () => {
  const after = (attempt: number, tries?: number) =>
    verdictOnPurchase(failure('retryable'), tried(attempt, 3 * DAY), false, tries).state
  expect([1, 9, 10].map(attempt => after(attempt))).toEqual(['queued', 'queued', 'unknown'])
  expect([1, 9, 10].map(tries => after(50, tries))).toEqual(['queued', 'queued', 'unknown'])
})

test('after a missing answer of the same round a refusal is no proof: the label is looked up, and the carrier gets time', () => {
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

test('an unknown label never fails by time alone', () => {
  expect(verdictOnPurchase(failure('unknown'), tried(400, 30 * DAY)).state).toBe('unknown')
  expect(verdictOnLookup({ found: 'unknown' }, { unknownMs: 30 * DAY }, 0, true)).toMatchObject({
    state: 'unknown',
    waitMs: 60_000,
  })
})

test('not purchased counts only after the quarantine; then an open order buys the label again, and in a closed one it fails', () => {
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

test('look-ups grow sparse, but one falls on the end of the quarantine', () => {
  const waitAt = (
    history: UnknownHistory,
    found: 'not_purchased' | 'unknown' = 'not_purchased',
  ) => {
    const verdict = verdictOnLookup({ found }, history, 120_000, true)
    return verdict.state === 'unknown' && verdict.waitMs
  }
  expect([1_000, 40_000, 79_000].map(unknownMs => waitAt({ unknownMs }))).toEqual([
    1_000, 20_000, 39_500,
  ])
  expect([100_000, 119_000, 119_990].map(unknownMs => waitAt({ unknownMs }))).toEqual([
    20_000, 1_000, 10,
  ])
  expect(waitAt({ unknownMs: 100_000 }, 'unknown')).toBe(20_000)
  expect(waitAt({ unknownMs: 50_000, doubtMs: 110_000, refusal: 'No luck' })).toBe(10_000)
  let unknownMs = 250
  while (waitAt({ unknownMs }) !== false) unknownMs += waitAt({ unknownMs }) as number
  expect(unknownMs).toBe(120_000)
})

test('a label fails only when no late sale is possible, even if buying it again would be safe at once', () => {
  const notBought = { found: 'not_purchased' } as const
  expect(verdictOnLookup(notBought, { unknownMs: 0 }, 0, true).state).toBe('queued')
  expect(verdictOnLookup(notBought, { unknownMs: 119_000 }, 0, false).state).toBe('unknown')
  expect(verdictOnLookup(notBought, { unknownMs: 120_000 }, 0, false).state).toBe('failed')
  expect(verdictOnLookup({ found: 'bought_later' }, { unknownMs: 0 }, 0, false).state).toBe(
    'failed',
  )
})
