import { beforeEach, expect, test } from 'vitest'
import {
  hideDemo,
  isDemo,
  isRealOrderRunning,
  leaveDemo,
  maximizeDemo,
  minimizeDemo,
  nextDemoStep,
  showDemo,
} from './demo.ts'
import { isFollowed } from './follow.ts'
import { overlayViewFor } from './overlay-view.ts'
import { INITIAL_PROGRESS_STATE, updateProgress } from './progress-state.ts'
import type { ProgressState } from './progress-state.ts'
import {
  initializeOrder,
  resetBulkOrder,
  updateProgress as update,
  useProgress,
} from './progress-store.ts'

beforeEach(() => resetBulkOrder())

const state = () => useProgress.getState()
const windowNow = () => ({ visible: state().isVisible, small: state().isMinimized })

/** The counts and titles of a whole simulation. */
function play(): string[] {
  const seen: string[] = []
  let now: ProgressState = {
    ...INITIAL_PROGRESS_STATE,
    orderId: 'demo',
    totalCount: 50,
    isVisible: true,
    startTime: 0,
  }
  for (let step = nextDemoStep(now); step; step = nextDemoStep(now)) {
    now = updateProgress(now, step)
    seen.push(`${now.processedCount} ${overlayViewFor(now).title}`)
  }
  return seen
}

test('the demonstration goes through 50 labels in steps of ten, and then through the files to its end', () => {
  expect(play()).toEqual([
    '10 Processing Bulk Order',
    '20 Processing Bulk Order',
    '30 Processing Bulk Order',
    '40 Processing Bulk Order',
    '50 Finalizing Order...',
    '50 Finalizing Order...',
    '50 Order Processed Successfully!',
  ])
})

test('each button brings the overlay into its size, from whatever it was', () => {
  minimizeDemo()
  expect(windowNow()).toEqual({ visible: true, small: true })
  maximizeDemo()
  expect(windowNow()).toEqual({ visible: true, small: false })
  hideDemo()
  expect(windowNow().visible).toBe(false)
  showDemo()
  expect(windowNow()).toEqual({ visible: true, small: false })
  expect(state().totalCount).toBe(50)
})

test('nobody asks a server for the order of the demonstration', () => {
  showDemo()
  expect(isDemo(state())).toBe(true)
  expect(isFollowed(state())).toBe(false)
})

test('a real order that is being processed is left alone, and makes way when it has ended', () => {
  initializeOrder({ orderId: '17', totalCount: 3 })
  hideDemo()
  minimizeDemo()
  expect([isRealOrderRunning(state()), state().orderId, windowNow()]).toEqual([
    true,
    '17',
    { visible: true, small: false },
  ])
  update({ status: 'completed' })
  showDemo()
  expect(isDemo(state())).toBe(true)
})

test('a demonstration that stands still goes with its page; a real order stays', () => {
  showDemo()
  leaveDemo()
  expect(state()).toEqual(INITIAL_PROGRESS_STATE)
  initializeOrder({ orderId: '17', totalCount: 3 })
  leaveDemo()
  expect(state().orderId).toBe('17')
})
