import { beforeEach, expect, test } from 'vitest'
import {
  DEMO_OBSTACLES,
  hideDemo,
  isDemo,
  isRealOrderRunning,
  leaveDemo,
  maximizeDemo,
  minimizeDemo,
  nextDemoStep,
  showDemo,
  simulateProgress,
  windowSize,
} from './demo.ts'
import { isFollowed } from './follow.ts'
import { overlayViewFor } from './overlay-view.ts'
import { INITIAL_PROGRESS_STATE, updateProgress } from './progress-state.ts'
import type { ProgressState } from './progress-state.ts'
import {
  hideModal,
  initializeOrder,
  resetBulkOrder,
  updateProgress as update,
  useProgress,
} from './progress-store.ts'

beforeEach(() => resetBulkOrder())

const state = () => useProgress.getState()
const windowNow = () => ({ visible: state().isVisible, small: state().isMinimized })

/** Counts and titles of a whole simulation. */
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

test('the demo runs through 50 labels in steps of ten, then the files, then the end', () => {
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

test('each button sets the size of the overlay, from any other size', () => {
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

test('a button that would change nothing is off, and every other one acts', () => {
  const buttons = {
    show: showDemo,
    hide: hideDemo,
    minimise: minimizeDemo,
    maximise: maximizeDemo,
  }
  const starts = { hidden: hideDemo, large: showDemo, small: minimizeDemo }
  for (const size of ['hidden', 'large', 'small'] as const)
    for (const name of ['show', 'hide', 'minimise', 'maximise'] as const) {
      showDemo()
      starts[size]()
      expect(windowSize(state())).toBe(size)
      buttons[name]()
      const acts = windowSize(state()) !== size
      // A hidden window has Show to open it large.
      const isOff = !acts || (size === 'hidden' && name === 'maximise')
      expect([size, name, DEMO_OBSTACLES[size][name] !== undefined]).toEqual([size, name, isOff])
    }
})

test('the demo order is never requested from the server', () => {
  showDemo()
  expect(isDemo(state())).toBe(true)
  expect(isFollowed(state())).toBe(false)
})

test('the demo replaces neither a running order nor a finished one whose window is open', () => {
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
  simulateProgress()
  expect(state().orderId).toBe('17')
  hideModal()
  showDemo()
  expect(isDemo(state())).toBe(true)
})

test('leaving the page removes a demo that is not running; a real order stays', () => {
  showDemo()
  leaveDemo()
  expect(state()).toEqual(INITIAL_PROGRESS_STATE)
  initializeOrder({ orderId: '17', totalCount: 3 })
  leaveDemo()
  expect(state().orderId).toBe('17')
})
