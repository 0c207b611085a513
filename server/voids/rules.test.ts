import { expect, test } from 'vitest'
import type { TrackingStatus } from '#contract/tracking.ts'
import type { CarrierVoidResult } from '#server/carriers/port.ts'
import { verdictOnVoid, voidObstacle } from './rules.ts'

const failure = (kind: 'permanent' | 'retryable' | 'unknown', retryAfterMs?: number) => ({
  kind,
  code: 'X',
  message: 'Too old',
  ...(retryAfterMs !== undefined && { retryAfterMs }),
})

const verdict = (answer: CarrierVoidResult, attempt: number) =>
  verdictOnVoid(answer, { attempt, unansweredMs: null }, 0)

test('only the carrier’s answer ends a void', () => {
  expect(verdict({ kind: 'voided' }, 1)).toEqual({ state: 'voided' })
  expect(verdict(failure('permanent'), 1)).toEqual({ state: 'purchased', reason: 'Too old' })
  for (const kind of ['retryable', 'unknown'] as const)
    expect(verdict(failure(kind), 1_000_000).state).toBe('voiding')
  expect(verdict({ kind: 'submitted' }, 1_000_000).state).toBe('voiding')
})

test('a refusal without a reason is still a refusal', () => {
  expect(verdict({ ...failure('permanent'), message: '' }, 1)).toEqual({
    state: 'purchased',
    reason: 'The carrier named no reason',
  })
})

test('after a call without an answer a refusal ends a void only with the carrier’s proof that the label is valid', () => {
  const refused = failure('permanent')
  const valid = { ...refused, isStillValid: true as const }
  const at = (answer: CarrierVoidResult, unansweredMs: number, quarantineMs = 0) =>
    verdictOnVoid(answer, { attempt: 2, unansweredMs }, quarantineMs)
  expect(at(refused, 1_000)).toEqual({
    state: 'voiding',
    waitMs: 600_000,
    isSubmitted: false,
    isDoubted: true,
  })
  expect(at(refused, 30 * 24 * 3_600_000).state).toBe('voiding')
  expect(at({ kind: 'voided' }, 1_000)).toEqual({ state: 'voided' })
  expect(at(valid, 10_000)).toEqual({ state: 'purchased', reason: 'Too old' })
})

test('the proof counts once the unanswered call can no longer arrive', () => {
  const valid = { ...failure('permanent'), isStillValid: true as const }
  const at = (unansweredMs: number, quarantineMs: number) =>
    verdictOnVoid(valid, { attempt: 2, unansweredMs }, quarantineMs)
  expect(at(4_000, 0)).toMatchObject({ state: 'voiding', waitMs: 6_000 })
  expect(at(100_000, 120_000)).toMatchObject({ state: 'voiding', waitMs: 20_000 })
  expect(at(120_000, 120_000).state).toBe('purchased')
})

test('the void call is repeated soon after an error, and rarely once the carrier has accepted the request', () => {
  const waits = (answer: CarrierVoidResult, attempt: number) => {
    const next = verdict(answer, attempt)
    return next.state === 'voiding' && next.waitMs
  }
  expect([1, 2, 3, 100].map(attempt => waits(failure('unknown'), attempt))).toEqual([
    500, 1_000, 2_000, 60_000,
  ])
  expect(waits(failure('retryable', 90_000), 1)).toBe(90_000)
  expect([1, 2, 100].map(attempt => waits({ kind: 'submitted' }, attempt))).toEqual([
    300_000, 600_000, 3_600_000,
  ])
})

test('a label is used once its parcel is on its way; a label that was only printed is not', () => {
  const why = (status: TrackingStatus) => voidObstacle({ state: 'purchased', tracking: { status } })
  for (const status of [
    'in_transit',
    'out_for_delivery',
    'delivered',
    'return_to_sender',
    'failure',
  ] as const) {
    expect(why(status)).toContain('on its way')
  }
  for (const status of ['unknown', 'pre_transit', 'cancelled'] as const)
    expect(why(status)).toBeNull()
})

test('only a bought label can be voided', () => {
  for (const state of ['purchased', 'voiding', 'voided'] as const)
    expect(voidObstacle({ state, tracking: null })).toBeNull()
  for (const state of ['queued', 'purchasing', 'unknown', 'failed'] as const) {
    expect(voidObstacle({ state, tracking: null })).toContain('label')
  }
})
