import { expect, test } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'

/** So many tries that begin at `askedAt` and get no answer until `now`; answers whether one of them made the queue wait. */
const silences = (
  breaker: ReturnType<typeof createCircuitBreaker>,
  count: number,
  askedAt: number,
  now: number,
): boolean =>
  Array.from({ length: count }, () => breaker.recordSilence(askedAt, now)).includes(true)

test('a carrier that answers is asked for all, also when single answers are lost', () => {
  const breaker = createCircuitBreaker()
  for (let now = 1; now < 1_000; now++) {
    expect(silences(breaker, 5, now, now)).toBe(false)
    breaker.recordAnswer(now)
  }
  expect(breaker.allowance(1_000)).toBe(Infinity)
})

test('after twenty tries without any answer the queue waits, then one label at a time finds out, less and less often', () => {
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

test('any answer ends the wait, and the next one is short again', () => {
  const breaker = createCircuitBreaker()
  silences(breaker, 20, 0, 10)
  breaker.recordSilence(1_010, 1_010)
  expect(breaker.recordAnswer(1_500)).toBe(true)
  expect(breaker.allowance(1_500)).toBe(Infinity)
  expect(silences(breaker, 20, 1_600, 1_600)).toBe(true)
  expect(breaker.allowance(2_600)).toBe(1)
})

test('tries that are older than the last answer prove nothing', () => {
  const breaker = createCircuitBreaker()
  breaker.recordAnswer(50)
  expect(silences(breaker, 500, 40, 5_040)).toBe(false)
  expect(breaker.allowance(5_040)).toBe(Infinity)
})
