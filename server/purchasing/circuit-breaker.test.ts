import { expect, test } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'

/**
 * `count` calls that began at `calledAt` and had no answer until `now`. Returns whether one of them
 * opened the breaker.
 */
const silences = (
  breaker: ReturnType<typeof createCircuitBreaker>,
  count: number,
  calledAt: number,
  now: number,
): boolean =>
  Array.from({ length: count }, () => breaker.recordSilence(calledAt, now)).includes(true)

test('the breaker stays closed while the carrier answers, also if single answers are lost', () => {
  const breaker = createCircuitBreaker()
  for (let now = 1; now < 1_000; now++) {
    expect(silences(breaker, 5, now, now)).toBe(false)
    breaker.recordAnswer(now)
  }
  expect(breaker.allowance(1_000)).toBe(Infinity)
})

test('after 20 calls without an answer the queue waits, and single labels probe the carrier less and less often', () => {
  const breaker = createCircuitBreaker()
  expect(silences(breaker, 19, 0, 100)).toBe(false)
  expect(breaker.allowance(100)).toBe(Infinity)
  expect(silences(breaker, 200, 0, 100)).toBe(true)
  const pauses: number[] = []
  for (let now = 100, since = 100; pauses.length < 6; now += 100) {
    if (breaker.allowance(now) === 0) continue
    pauses.push(now - since)
    expect(breaker.allowance(now)).toBe(1)
    expect(breaker.recordSilence(now, now)).toBe(false)
    since = now
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
})

test('any answer closes the breaker, and the next pause is short again', () => {
  const breaker = createCircuitBreaker()
  silences(breaker, 20, 0, 10)
  breaker.recordSilence(1_010, 1_010)
  expect(breaker.recordAnswer(1_500)).toBe(true)
  expect(breaker.allowance(1_500)).toBe(Infinity)
  expect(silences(breaker, 20, 1_600, 1_600)).toBe(true)
  expect(breaker.allowance(2_600)).toBe(1)
})

test('calls that began before the last answer do not count', () => {
  const breaker = createCircuitBreaker()
  breaker.recordAnswer(50)
  expect(silences(breaker, 500, 40, 5_040)).toBe(false)
  expect(breaker.allowance(5_040)).toBe(Infinity)
})

test('a carrier that answers look-ups alone is probed at once, and purchases wait for the answer of the probe', () => {
  const breaker = createCircuitBreaker()
  silences(breaker, 20, 0, 10)
  expect(breaker.allowance(20)).toBe(0)
  breaker.probeNow()
  expect(breaker.allowance(20)).toBe(1)
  breaker.recordSilence(30, 40)
  expect(breaker.allowance(50)).toBe(0)
  expect(breaker.pauseMs(50)).toBeGreaterThan(1_000)
  breaker.recordAnswer(60)
  expect(breaker.allowance(60)).toBe(Infinity)
})
