import { expect, test } from 'vitest'
import { progressAnnouncement } from './announcement.ts'
import { INITIAL_PROGRESS_STATE } from './progress-state.ts'
import type { ProgressState } from './progress-state.ts'

const at = (processedCount: number, change: Partial<ProgressState> = {}): ProgressState => ({
  ...INITIAL_PROGRESS_STATE,
  isVisible: true,
  orderId: '17',
  totalCount: 100,
  processedCount,
  ...change,
})

test('a new order is announced once', () => {
  expect(progressAnnouncement(INITIAL_PROGRESS_STATE, at(0))).toBe('Processing Bulk Order 0%')
})

test('each quarter is announced once, and nothing in between', () => {
  expect(progressAnnouncement(at(24), at(25))).toBe('Processing Bulk Order 25%')
  expect(progressAnnouncement(at(25), at(49))).toBeNull()
  expect(progressAnnouncement(at(40), at(80))).toBe('Processing Bulk Order 80%')
})

test('the seconds of the clock are not announced', () => {
  expect(progressAnnouncement(at(30), at(30, { elapsedTime: 7 }))).toBeNull()
})

test('the end is announced with the title', () => {
  expect(
    progressAnnouncement(
      at(100),
      at(100, { orderStatus: 'completed_with_errors', failedCount: 3 }),
    ),
  ).toBe('Order Processed With 3 Failed Label(s)')
})

test('a hidden order is not announced', () => {
  expect(progressAnnouncement(at(20), at(60, { isVisible: false }))).toBeNull()
})
