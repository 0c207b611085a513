import { expect, test } from 'vitest'
import { BATCH_STATUSES, isTerminal } from '#contract/batch-status.ts'
import type { BatchFileNames } from '#contract/batches.ts'
import {
  clearErrors,
  failRetry,
  finishRetry,
  hideModal,
  INITIAL_PROGRESS_STATE,
  initializeOrder,
  maximize,
  minimize,
  shouldPoll,
  resetBulkOrder,
  showModal,
  startRetry,
  updateElapsedTime,
  updateProgress,
} from './progress-state.ts'
import type { ProgressState } from './progress-state.ts'

const FILES: BatchFileNames = {
  pdfName: 'batch.pdf',
  resultCSVName: 'batch.csv',
  autoConfirmCSVName: null,
}
const stateWith = (change: Partial<ProgressState>): ProgressState => ({
  ...INITIAL_PROGRESS_STATE,
  isVisible: true,
  orderId: '7',
  totalCount: 8,
  startTime: 0,
  ...change,
})

test('the state begins with all members of the specification', () => {
  expect(INITIAL_PROGRESS_STATE).toMatchObject({
    isVisible: false,
    isMinimized: false,
    orderId: null,
    orderStatus: 'processing',
    processedCount: 0,
    failedCount: 0,
    totalCount: 0,
    fileData: null,
    error: null,
    statusError: null,
    retryError: null,
    isRetrying: false,
    loading: false,
    startTime: null,
    elapsedTime: 0,
  })
})

test('polling stops at the end of the order', () => {
  expect(BATCH_STATUSES.filter(isTerminal)).toEqual([
    'completed',
    'completed_with_errors',
    'failed',
    'processing_error',
    'retry_processing_error',
  ])
  expect(shouldPoll(stateWith({}))).toBe(true)
  expect(shouldPoll(stateWith({ isVisible: false }))).toBe(false)
  expect(shouldPoll(stateWith({ orderStatus: 'completed' }))).toBe(false)
  expect(shouldPoll(stateWith({ statusError: 'x' }))).toBe(true)
})

test('showing an order restarts the clock; showing the same one does not', () => {
  const running = stateWith({
    startTime: 1000,
    elapsedTime: 5,
    isMinimized: true,
    processedCount: 3,
  })
  expect(showModal(running, null, 9000)).toEqual({ ...running, isMinimized: false })
  expect(showModal(running, '7', 9000)).toEqual({
    ...running,
    isMinimized: false,
    startTime: 9000,
    elapsedTime: 0,
  })
  expect(showModal({ ...running, fileData: FILES }, '8', 9000)).toEqual({
    ...INITIAL_PROGRESS_STATE,
    isVisible: true,
    orderId: '8',
    startTime: 9000,
  })
})

test('minimise, expand, hide, clear and reset do that and nothing else', () => {
  const state = stateWith({ processedCount: 2, error: 'a', statusError: 'b', retryError: 'c' })
  expect(maximize(minimize(state))).toEqual(state)
  expect(minimize(state)).toEqual({ ...state, isMinimized: true })
  expect(hideModal(state)).toEqual({ ...state, isVisible: false })
  expect(clearErrors(state)).toEqual({ ...state, error: null, statusError: null, retryError: null })
  expect(resetBulkOrder()).toEqual(INITIAL_PROGRESS_STATE)
})

test('a new order starts clean and visible', () => {
  const hidden = { isVisible: false, isMinimized: true }
  const old = stateWith({
    ...hidden,
    error: 'a',
    retryError: 'b',
    isRetrying: true,
    fileData: FILES,
    orderStatus: 'failed',
  })
  expect(initializeOrder(old, { orderId: '9', totalCount: 50 }, 400)).toEqual({
    ...INITIAL_PROGRESS_STATE,
    orderId: '9',
    totalCount: 50,
    startTime: 400,
    isVisible: true,
  })
})

test('an update changes only counts that are numbers, and given status and files', () => {
  const state = stateWith({ processedCount: 2, failedCount: 1, fileData: FILES })
  expect(
    updateProgress(state, { processedCount: '3', failedCount: null, totalCount: Number.NaN }),
  ).toEqual(state)
  expect(updateProgress(state, { processedCount: 0, status: 'completed', fileData: null })).toEqual(
    { ...state, processedCount: 0, orderStatus: 'completed' },
  )
})

test('the clock counts whole seconds and stops at the end', () => {
  const running = stateWith({ startTime: 10_000 })
  expect(updateElapsedTime(running, 12_999).elapsedTime).toBe(2)
  expect(updateElapsedTime(running, 10_500)).toBe(running)
  const over = stateWith({
    startTime: 0,
    elapsedTime: 4,
    orderStatus: 'completed',
    fileData: FILES,
  })
  expect(updateElapsedTime(over, 99_000)).toBe(over)
})

test('a retry ends as completed, or says how many labels recovered', () => {
  const before = startRetry(
    stateWith({
      orderStatus: 'completed_with_errors',
      processedCount: 8,
      failedCount: 3,
      retryError: 'old',
    }),
  )
  expect(before).toMatchObject({ isRetrying: true, retryError: null })
  const rest = { fileData: FILES, finalProcessedCount: 8, updatedTotalCount: 8 }
  expect(
    finishRetry(before, {
      ...rest,
      finalFailedCount: 1,
      status: 'completed_with_errors',
      newlySuccessfulCount: 2,
    }),
  ).toMatchObject({
    isRetrying: false,
    failedCount: 1,
    retryError: '2 labels recovered. 1 still failed.',
    recoveredCount: 2,
  })
  expect(
    finishRetry(before, {
      ...rest,
      finalFailedCount: 0,
      status: 'completed',
      newlySuccessfulCount: 3,
    }),
  ).toMatchObject({ isRetrying: false, failedCount: 0, orderStatus: 'completed', retryError: null })
  expect(failRetry(before).retryError).toBe('An error occurred during the retry attempt.')
  expect(failRetry(before, 'Insufficient balance').retryError).toBe('Insufficient balance')
})

test('the expected end is cleared by an update without it', () => {
  const expecting = updateProgress(INITIAL_PROGRESS_STATE, {
    expectedAt: '2026-11-21T12:00:00.000Z',
  })
  expect(expecting.expectedAt).toBe(Date.parse('2026-11-21T12:00:00.000Z'))
  expect(updateProgress(expecting, { processedCount: 3 }).expectedAt).toBeNull()
})
