import { expect, test } from 'vitest'
import type { TrackingStatus } from '#contract/tracking.ts'
import { verdictOnVoid, voidObstacle } from './rules.ts'

const failure = (kind: 'permanent' | 'retryable' | 'unknown', retryAfterMs?: number) => ({
  kind,
  code: 'X',
  message: 'Too old',
  ...(retryAfterMs !== undefined && { retryAfterMs }),
})

test('only the carrier’s answer ends a void', () => {
  expect(verdictOnVoid({ kind: 'voided' }, 1)).toEqual({ state: 'voided' })
  expect(verdictOnVoid(failure('permanent'), 1)).toEqual({ state: 'purchased', reason: 'Too old' })
  for (const kind of ['retryable', 'unknown'] as const)
    expect(verdictOnVoid(failure(kind), 1_000_000).state).toBe('voiding')
  expect(verdictOnVoid({ kind: 'submitted' }, 1_000_000).state).toBe('voiding')
})

test('a refusal without a reason is still a refusal', () => {
  expect(verdictOnVoid({ ...failure('permanent'), message: '' }, 1)).toEqual({
    state: 'purchased',
    reason: 'The carrier named no reason',
  })
})

test('the void call is repeated soon after an error, and rarely once the carrier has accepted the request', () => {
  const waits = (answer: Parameters<typeof verdictOnVoid>[0], attempt: number) => {
    const verdict = verdictOnVoid(answer, attempt)
    return verdict.state === 'voiding' && verdict.waitMs
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
