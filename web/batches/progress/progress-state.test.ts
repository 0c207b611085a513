import { expect, test } from 'vitest'
import { BATCH_STATUSES, isTerminal } from '#contract/batch-status.ts'
import type { BatchFileNames } from '#contract/batches.ts'
import { canRetry, statusText, statusTone } from '#web/batches/batch-view.ts'
import { overlayViewFor } from './overlay-view.ts'
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
const NO_FILES: BatchFileNames = { pdfName: null, resultCSVName: null, autoConfirmCSVName: null }
const stateWith = (change: Partial<ProgressState>): ProgressState => ({
  ...INITIAL_PROGRESS_STATE,
  isVisible: true,
  orderId: '7',
  totalCount: 8,
  startTime: 0,
  ...change,
})

const THREE_FAILED: Partial<ProgressState> = {
  processedCount: 8,
  failedCount: 3,
  orderStatus: 'completed_with_errors',
  fileData: FILES,
}
const WITH_ERRORS = {
  title: 'Order Processed With 3 Failed Label(s)',
  percentage: 100,
  tone: 'yellow',
  close: true,
}

/** The table of states of the specification, 4: one line is one moment of an order. */
type ExpectedOverlay = {
  title: string
  percentage: number
  tone: string
  close: boolean
  retry: string | null
  clock: boolean
}
const OVERLAY_CASES: [string, Partial<ProgressState>, ExpectedOverlay][] = [
  [
    'just submitted',
    {},
    {
      title: 'Processing Bulk Order',
      percentage: 0,
      tone: 'blue',
      close: false,
      retry: null,
      clock: true,
    },
  ],
  [
    'not counted yet',
    { totalCount: 0 },
    {
      title: 'Processing Bulk Order',
      percentage: 0,
      tone: 'blue',
      close: false,
      retry: null,
      clock: true,
    },
  ],
  [
    'at work',
    { processedCount: 3, failedCount: 1 },
    {
      title: 'Processing Bulk Order',
      percentage: 38,
      tone: 'blue',
      close: false,
      retry: null,
      clock: true,
    },
  ],
  [
    'all bought, no files',
    { processedCount: 8, fileData: NO_FILES },
    {
      title: 'Finalizing Order...',
      percentage: 100,
      tone: 'blue',
      close: false,
      retry: null,
      clock: true,
    },
  ],
  [
    'drawing files',
    { processedCount: 8, orderStatus: 'generating_files' },
    {
      title: 'Finalizing Order...',
      percentage: 100,
      tone: 'blue',
      close: false,
      retry: null,
      clock: true,
    },
  ],
  [
    'all bought, files there',
    { processedCount: 8, fileData: FILES },
    {
      title: 'Order Processed Successfully!',
      percentage: 100,
      tone: 'blue',
      close: false,
      retry: null,
      clock: true,
    },
  ],
  [
    'completed',
    { processedCount: 8, orderStatus: 'completed', fileData: FILES },
    {
      title: 'Order Processed Successfully!',
      percentage: 100,
      tone: 'green',
      close: true,
      retry: null,
      clock: false,
    },
  ],
  [
    'completed, files on their way',
    { processedCount: 8, orderStatus: 'completed' },
    {
      title: 'Order Processed Successfully!',
      percentage: 100,
      tone: 'green',
      close: true,
      retry: null,
      clock: true,
    },
  ],
  [
    'completed with errors',
    THREE_FAILED,
    { ...WITH_ERRORS, retry: 'Retry 3 Failed Label(s)', clock: false },
  ],
  [
    'retry pressed',
    { ...THREE_FAILED, isRetrying: true },
    {
      title: 'Retrying 3 Failed Label(s)...',
      percentage: 100,
      tone: 'blue',
      close: false,
      retry: 'Retrying...',
      clock: true,
    },
  ],
  [
    'retry at work',
    { processedCount: 6, failedCount: 3, orderStatus: 'retrying_failed', fileData: FILES },
    {
      title: 'Retrying 3 Failed Label(s)...',
      percentage: 75,
      tone: 'blue',
      close: false,
      retry: 'Retrying...',
      clock: true,
    },
  ],
  [
    'retry refused',
    { ...THREE_FAILED, retryError: 'Insufficient balance' },
    { ...WITH_ERRORS, retry: 'Retry 3 Failed Label(s)', clock: false },
  ],
  [
    'failed',
    { processedCount: 8, failedCount: 8, orderStatus: 'failed' },
    {
      title: 'Order Processing Failed!',
      percentage: 100,
      tone: 'red',
      close: true,
      retry: null,
      clock: false,
    },
  ],
  [
    'error before the first label',
    { error: 'Initial Processing Error: no' },
    {
      title: 'Order Processing Failed!',
      percentage: 100,
      tone: 'red',
      close: true,
      retry: null,
      clock: false,
    },
  ],
  [
    'server gave up',
    { processedCount: 2, orderStatus: 'processing_error' },
    {
      title: 'Order Processing Failed!',
      percentage: 100,
      tone: 'red',
      close: true,
      retry: null,
      clock: false,
    },
  ],
  [
    'status cannot be read',
    { processedCount: 2, statusError: 'Status Update Error: offline' },
    {
      title: 'Status Update Failed',
      percentage: 100,
      tone: 'red',
      close: true,
      retry: null,
      clock: true,
    },
  ],
  [
    'counts beyond the total',
    { processedCount: 9, totalCount: 8 },
    {
      title: 'Finalizing Order...',
      percentage: 100,
      tone: 'blue',
      close: false,
      retry: null,
      clock: true,
    },
  ],
]

test.each(OVERLAY_CASES)('the overlay of an order that is: %s', (_moment, change, expected) => {
  const seen = overlayViewFor(stateWith(change))
  const { title, percentage, tone, canClose: close, retryText: retry, clockRunning: clock } = seen
  expect({ title, percentage, tone, close, retry, clock }).toEqual(expected)
  expect(seen.closeTooltip).toBe(expected.close ? null : 'Please wait for processing to complete')
  expect(seen.canRetry).toBe(expected.retry?.startsWith('Retry ') ?? false)
})

test('the overlay says what went wrong', () => {
  const texts = (change: Partial<ProgressState>) =>
    overlayViewFor(stateWith(change)).messages.map(message => message.text)
  expect(texts(THREE_FAILED)).toEqual([
    '3 label(s) failed to process. Please check the error logs.',
  ])
  expect(texts({ orderStatus: 'failed' })).toEqual([
    'An error occurred while processing your order.',
  ])
  expect(texts({ error: 'Initial Processing Error: no' })).toEqual(['Initial Processing Error: no'])
  expect(texts({ failedCount: 2 })).toEqual([])
})

test('polling ends with the order', () => {
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

test('the list of bulk orders names status and failures', () => {
  expect(statusText('completed_with_errors', 3)).toBe('Completed with errors (3 Failed)')
  expect(statusText('retrying_failed', 0)).toBe('Retrying failed')
  expect(BATCH_STATUSES.map(statusTone)).toEqual([
    'blue',
    'blue',
    'blue',
    'green',
    'yellow',
    'red',
    'red',
    'red',
  ])
})

test('only an order completed with errors can be retried', () => {
  expect(BATCH_STATUSES.filter(status => canRetry({ status, failedCount: 1 }))).toEqual([
    'completed_with_errors',
  ])
  expect(canRetry({ status: 'completed_with_errors', failedCount: 0 })).toBe(false)
})

test('showing an order restarts the clock; showing nothing new does not', () => {
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

test('an update changes only counts that are numbers, and what it names', () => {
  const state = stateWith({ processedCount: 2, failedCount: 1, fileData: FILES })
  expect(
    updateProgress(state, { processedCount: '3', failedCount: null, totalCount: Number.NaN }),
  ).toEqual(state)
  expect(updateProgress(state, { processedCount: 0, status: 'completed', fileData: null })).toEqual(
    { ...state, processedCount: 0, orderStatus: 'completed' },
  )
})

test('the clock counts whole seconds and stands still at the end', () => {
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

test('a retry ends completed, or says how many labels came back', () => {
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

test('what is to come is told in minutes, by the clock that is shown', () => {
  const START = 1_000_000
  const outlook = (change: Partial<ProgressState>) =>
    overlayViewFor({ ...INITIAL_PROGRESS_STATE, orderId: '7', startTime: START, ...change }).eta
  const inMs = (ms: number) => START + ms
  expect(outlook({})).toBeNull()
  expect(outlook({ expectedAt: inMs(20_000) })).toBe('Less than a minute left')
  expect(outlook({ expectedAt: inMs(61_000) })).toBe('About 1 minute left')
  expect(outlook({ expectedAt: inMs(5 * 60_000), elapsedTime: 60 })).toBe('About 4 minutes left')
  expect(outlook({ expectedAt: inMs(3 * 60 * 60_000) })).toBe('About 3 hours left')
  expect(outlook({ expectedAt: inMs(60_000), waitingFor: 'Waiting for the carrier account' })).toBe(
    'Waiting for the carrier account',
  )
  expect(outlook({ expectedAt: inMs(60_000), orderStatus: 'completed' })).toBeNull()
})

test('what was expected is forgotten with the next news that does not say it', () => {
  const expecting = updateProgress(INITIAL_PROGRESS_STATE, {
    expectedAt: '2026-11-21T12:00:00.000Z',
  })
  expect(expecting.expectedAt).toBe(Date.parse('2026-11-21T12:00:00.000Z'))
  expect(updateProgress(expecting, { processedCount: 3 }).expectedAt).toBeNull()
})
