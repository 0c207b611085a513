import { expect, test } from 'vitest'
import { learnServerTime, serverNow } from './server-clock.ts'

const HOUR_MS = 3_600_000

const learn = (aheadMs: number, sentAt = Date.now()): void =>
  learnServerTime(
    new Response(null, { headers: { date: new Date(Date.now() + aheadMs).toUTCString() } }),
    sentAt,
  )

const aheadMs = (): number => serverNow() - Date.now()

test('the time on a device whose clock is an hour late is not turned back by the next answer', () => {
  learn(HOUR_MS)
  const before = serverNow()
  expect(Math.abs(aheadMs() - HOUR_MS)).toBeLessThan(5_000)
  learn(HOUR_MS - 2_000)
  expect(serverNow()).toBeGreaterThanOrEqual(before)
})

test('a device whose clock is set right shows the right time after the next answer', () => {
  learn(HOUR_MS)
  learn(0)
  expect(Math.abs(aheadMs())).toBeLessThan(5_000)
})

test('an answer that took long says nothing about the time', () => {
  learn(0)
  learn(HOUR_MS, Date.now() - 60_000)
  expect(Math.abs(aheadMs())).toBeLessThan(5_000)
})
