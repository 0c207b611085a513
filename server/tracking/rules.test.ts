import { expect, test } from 'vitest'
import { autoVoidDeadlineMs, pollRetryMs, nextPollMs, autoVoidAfterMs } from './rules.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

test('a parcel on its way is polled every three hours, an unscanned one every six', () => {
  expect(nextPollMs({ status: 'unknown' }, DAY_MS)).toBe(6 * HOUR_MS)
  expect(nextPollMs({ status: 'pre_transit' }, DAY_MS)).toBe(6 * HOUR_MS)
  for (const status of [
    'in_transit',
    'out_for_delivery',
    'available_for_pickup',
    'failure',
  ] as const) {
    expect(nextPollMs({ status }, DAY_MS)).toBe(3 * HOUR_MS)
  }
})

test('a parcel is not polled after delivery, after its return, or after 45 days', () => {
  for (const status of ['delivered', 'return_to_sender', 'cancelled'] as const)
    expect(nextPollMs({ status }, DAY_MS)).toBeNull()
  expect(nextPollMs({ status: 'in_transit', nextCheckMs: 1 }, 45 * DAY_MS)).toBeNull()
  expect(nextPollMs({ status: 'unknown' }, 45 * DAY_MS - 1)).not.toBeNull()
})

test('polls without an answer are repeated after longer and longer waits', () => {
  expect([1, 2, 3, 50].map(attempt => pollRetryMs(attempt, DAY_MS))).toEqual(
    [0.25, 0.5, 1, 6].map(hours => hours * HOUR_MS),
  )
  expect(pollRetryMs(50, 45 * DAY_MS)).toBeNull()
})

test('an unused label is voided in time, for any length of the window', () => {
  expect(autoVoidAfterMs(30 * DAY_MS)).toBe(28 * DAY_MS)
  expect(autoVoidAfterMs(DAY_MS)).toBe(12 * HOUR_MS)
  expect(autoVoidDeadlineMs(30 * DAY_MS)).toBe(29 * DAY_MS)
  for (const window of [HOUR_MS, DAY_MS, 30 * DAY_MS])
    expect(autoVoidDeadlineMs(window)).toBeLessThan(window)
})
