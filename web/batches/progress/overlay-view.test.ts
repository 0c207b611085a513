import { expect, test } from 'vitest'
import type { BatchFileNames } from '#contract/batches.ts'
import { everyProgressState } from '#tests/support/progress-states.ts'
import { overlayViewFor } from './overlay-view.ts'
import { INITIAL_PROGRESS_STATE } from './progress-state.ts'
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

/** One line is one moment of an order. */
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

test.each(OVERLAY_CASES)('the overlay of an order: %s', (_moment, change, expected) => {
  const seen = overlayViewFor(stateWith(change))
  const { title, percentage, tone, canClose: close, retryText: retry, clockRunning: clock } = seen
  expect({ title, percentage, tone, close, retry, clock }).toEqual(expected)
  expect(seen.closeTooltip).toBe(expected.close ? null : 'Please wait for processing to complete')
  expect(seen.canRetry).toBe(expected.retry?.startsWith('Retry ') ?? false)
})

/** What the overlay of an order has to show, straight from the rules of titles, bar and buttons. */
function titleByRule(state: ProgressState): string {
  const failed = ['failed', 'processing_error', 'retry_processing_error'].includes(
    state.orderStatus,
  )
  const all = state.processedCount === 8
  if (state.error !== null || failed) return 'Order Processing Failed!'
  if (state.statusError !== null) return 'Status Update Failed'
  if (state.isRetrying || state.orderStatus === 'retrying_failed')
    return `Retrying ${state.failedCount} Failed Label(s)...`
  if (state.orderStatus === 'completed_with_errors')
    return `Order Processed With ${state.failedCount} Failed Label(s)`
  if (state.orderStatus === 'completed') return 'Order Processed Successfully!'
  if (all && state.fileData?.pdfName) return 'Order Processed Successfully!'
  return all || state.orderStatus === 'generating_files'
    ? 'Finalizing Order...'
    : 'Processing Bulk Order'
}

test('in every combination of status, files, counts and errors, title, alert, bar and announcement agree', () => {
  for (const state of everyProgressState()) {
    const view = overlayViewFor(state)
    const title = titleByRule(state)
    const named = JSON.stringify(state)
    expect(view.title, named).toBe(title)
    expect(view.announcement.replace(/ \d+%$/, ''), named).toBe(title)

    const failed = title === 'Order Processing Failed!' || title === 'Status Update Failed'
    const alerts = view.messages.filter(({ tone }) => tone === 'red')
    const refusedRetry = state.retryError === 'Insufficient balance'
    expect(alerts, named).toHaveLength(failed || refusedRetry ? 1 : 0)
    if (failed) expect(view.messages, named).toHaveLength(1)
    expect(view.tone === 'red', named).toBe(failed)
    const noneBought = view.canClose && state.failedCount === state.totalCount
    expect(view.percentText, named).toBe(failed || noneBought ? null : `${view.percentage}%`)
    if (failed) expect([view.percentage, view.announcement], named).toEqual([100, title])

    const success = title === 'Order Processed Successfully!'
    if (view.pdfLabels !== null)
      expect([view.tone, view.canClose], named).toEqual([success ? 'green' : 'yellow', true])
    if (view.isGood) expect(success && view.tone === 'green', named).toBe(true)
    if (success && state.orderStatus === 'completed')
      expect(alerts, named).toHaveLength(refusedRetry ? 1 : 0)
  }
})

test('the end of an order leads to the PDF of the labels that were bought', () => {
  const labels = (change: Partial<ProgressState>) => overlayViewFor(stateWith(change)).pdfLabels
  const good: Partial<ProgressState> = {
    processedCount: 8,
    orderStatus: 'completed',
    fileData: FILES,
  }
  expect(labels(good)).toBe(8)
  expect(labels({ ...good, fileData: NO_FILES })).toBeNull()
  expect(labels({ ...good, orderStatus: 'processing' })).toBeNull()
  expect(labels({ ...good, statusError: 'offline' })).toBeNull()
  expect(labels(THREE_FAILED)).toBe(5)
  expect(labels({ ...THREE_FAILED, isRetrying: true })).toBeNull()
  expect(labels({ ...THREE_FAILED, failedCount: 8 })).toBeNull()
})

test('a partial recovery is not red, a refused retry is', () => {
  const shown = (change: Partial<ProgressState>) =>
    overlayViewFor(stateWith({ ...THREE_FAILED, ...change })).messages
  const failures = {
    tone: 'yellow',
    text: '3 label(s) failed to process. Please check the error logs.',
  }
  const text = '2 labels recovered. 3 still failed.'
  expect(shown({ retryError: text, recoveredCount: 2 })).toEqual([{ tone: 'blue', text }, failures])
  expect(shown({ retryError: text, recoveredCount: 0 })).toEqual([
    { tone: 'yellow', text },
    failures,
  ])
  expect(shown({ retryError: 'Insufficient balance' })).toEqual([
    { tone: 'red', text: 'Insufficient balance' },
    failures,
  ])
})

test('the reasons of failed labels are shown while an order runs and at its end', () => {
  const shows = (change: Partial<ProgressState>) => overlayViewFor(stateWith(change)).showsFailures
  expect(shows({ processedCount: 3 })).toBe(false)
  expect(shows({ processedCount: 3, failedCount: 1 })).toBe(true)
  expect(shows(THREE_FAILED)).toBe(true)
  expect(shows({ ...THREE_FAILED, statusError: 'offline' })).toBe(false)
  expect(shows({ ...THREE_FAILED, orderId: null, error: 'no' })).toBe(false)
})

test('the overlay shows what went wrong', () => {
  const texts = (change: Partial<ProgressState>) =>
    overlayViewFor(stateWith(change)).messages.map(message => message.text)
  expect(texts(THREE_FAILED)).toEqual([
    '3 label(s) failed to process. Please check the error logs.',
  ])
  expect(texts({ orderStatus: 'failed', processedCount: 8, failedCount: 8 })).toEqual([
    'An error occurred while processing your order.',
  ])
  expect(texts({ error: 'Initial Processing Error: no' })).toEqual(['Initial Processing Error: no'])
  expect(texts({ failedCount: 2 })).toEqual([])
})

test('the remaining time is shown in minutes, by the visible clock', () => {
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

test('a retry that would buy labels twice says so, and leads to the failed rows', () => {
  const refusal = '2 of the failed rows were bought since, in bulk order 9: rows 1, 2.'
  const view = overlayViewFor(
    stateWith({ ...THREE_FAILED, retryError: refusal, boughtSince: true }),
  )
  expect(view.messages.map(({ tone, text }) => [tone, text]).slice(0, 2)).toEqual([
    ['red', refusal],
    ['yellow', expect.stringContaining('buys a second label')],
  ])
  expect([view.canFix, view.retryText]).toEqual([true, 'Retry all and buy them again'])
})

test('failed rows can be fixed once the order has ended, also where all of them failed', () => {
  const canFix = (change: Partial<ProgressState>) => overlayViewFor(stateWith(change)).canFix
  expect(canFix({ processedCount: 8, failedCount: 8, orderStatus: 'failed' })).toBe(true)
  expect(canFix({ ...THREE_FAILED, failedCount: 8 })).toBe(true)
  expect(canFix(THREE_FAILED)).toBe(true)
  expect(canFix({ processedCount: 8, orderStatus: 'completed' })).toBe(false)
  expect(canFix({ ...THREE_FAILED, isRetrying: true })).toBe(false)
})
