import { expect, test } from 'vitest'
import { everyProgressState } from '#tests/support/progress-states.ts'
import { nextAnnouncement } from './announcement.ts'
import { overlayViewFor } from './overlay-view.ts'
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
/** What is heard on the way through these states; a text that stays is heard once. */
const heardThrough = (...states: ProgressState[]): string[] => {
  const heard = ['']
  let before: ProgressState = INITIAL_PROGRESS_STATE
  for (const after of states) {
    const text = nextAnnouncement(heard.at(-1)!, before, after)
    if (text !== heard.at(-1)) heard.push(text)
    before = after
  }
  return heard.slice(1)
}

test('a new order is announced once', () => {
  expect(heardThrough(at(0), at(0))).toEqual(['Processing Bulk Order 0%'])
})

test('each quarter is announced once, and nothing in between', () => {
  expect(heardThrough(at(24), at(25), at(49), at(80))).toEqual([
    'Processing Bulk Order 24%',
    'Processing Bulk Order 25%',
    'Processing Bulk Order 80%',
  ])
})

test('the seconds of the clock are not announced', () => {
  expect(heardThrough(at(30), at(30, { elapsedTime: 7 }))).toHaveLength(1)
})

test('the end is announced with the title', () => {
  const end = at(100, { orderStatus: 'completed_with_errors', failedCount: 3 })
  expect(heardThrough(at(100), end)).toEqual([
    'Finalizing Order... 100%',
    'Order Processed With 3 Failed Label(s)',
  ])
})

test('a hidden order is not announced', () => {
  expect(heardThrough(at(20), at(60, { isVisible: false }))).toEqual([
    'Processing Bulk Order 20%',
    '',
  ])
})

test('after a success, an order that is refused is heard as failed', () => {
  const success = at(100, { orderStatus: 'completed' })
  const refused = { ...at(0), orderId: null, error: 'Initial Processing Error: no' }
  expect(heardThrough(success, refused)).toEqual([
    'Order Processed Successfully!',
    'Order Processing Failed!',
  ])
})

test('after every state, the title that is heard is the title that is shown', () => {
  const byView = new Map<string, ProgressState>()
  for (const state of everyProgressState()) {
    const { title, percentText, canClose } = overlayViewFor(state)
    byView.set(`${title} ${percentText} ${canClose} ${state.orderId}`, state)
  }
  const shown = [...byView.values()]
  expect(shown.length).toBeGreaterThan(20)
  for (const before of shown) {
    const heard = overlayViewFor(before).announcement
    for (const after of [...shown, ...shown.map(state => ({ ...state, orderId: '18' }))]) {
      const { title, percentText, canClose } = overlayViewFor(after)
      const next = nextAnnouncement(heard, before, after)
      expect(next.replace(/ \d+%$/, ''), `${heard} | ${title}`).toBe(title)
      if (canClose || percentText === null) expect(next).toBe(title)
    }
  }
})
