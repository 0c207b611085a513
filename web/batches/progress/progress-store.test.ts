import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { User } from '#contract/accounts.ts'
import type { BatchProgress } from '#contract/batches.ts'
import { logOut, startSession } from '#web/client/session.ts'
import { toastError, toastSuccess, useToasts } from '#web/ui/toasts.ts'
import { overlayViewFor } from './overlay-view.ts'
import {
  clearErrors,
  failOrder,
  failRetry,
  finishRetry,
  hideModal,
  initializeOrder,
  maximize,
  minimize,
  startSavingProgress,
  resetBulkOrder,
  resumeOrder,
  setStatusError,
  showModal,
  startRetry,
  tick,
  updateProgress,
  useProgress,
} from './progress-store.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const SECOND = 1000
const FILES = { pdfName: 'batch.pdf', resultCSVName: 'batch.csv', autoConfirmCSVName: null }
const ana: User = {
  _id: '7',
  name: 'Ana',
  email: 'ana@example.com',
  user_role: 'user',
  balance: 20,
  referralCode: 'ANA',
  totalDeposit: 20,
  totalSpent: 0,
  activation: 'allow',
  avatar: null,
}
const FOUND: BatchProgress = {
  orderId: '17',
  status: 'completed',
  processedCount: 9,
  failedCount: 0,
  totalCount: 9,
  fileData: null,
  updatedAt: '2026-11-20T12:00:00.000Z',
}
const state = () => useProgress.getState()
const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * SECOND)

/** What a browser tab keeps over a reload. */
function tabStorage(): Storage {
  const stored = new Map<string, string>()
  return {
    getItem: name => stored.get(name) ?? null,
    setItem: (name, text) => void stored.set(name, text),
    removeItem: name => void stored.delete(name),
    clear: () => stored.clear(),
    key: () => null,
    get length() {
      return stored.size
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOON, toFake: ['Date'] })
  vi.stubGlobal('sessionStorage', tabStorage())
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no server in this test')))
  resetBulkOrder()
})
afterEach(() => {
  logOut()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('nothing shows before the first order', () => {
  expect(state()).toMatchObject({
    isVisible: false,
    isMinimized: false,
    orderId: null,
    orderStatus: 'processing',
    totalCount: 0,
  })
})

test('a submitted order shows at once, with zero counts and no old errors', () => {
  failOrder('Initial Processing Error: out of reach', 412)
  startRetry()
  initializeOrder({ orderId: '17', totalCount: 412 })
  expect(state()).toMatchObject({
    isVisible: true,
    isMinimized: false,
    orderId: '17',
    orderStatus: 'processing',
    processedCount: 0,
    failedCount: 0,
    totalCount: 412,
    error: null,
    statusError: null,
    retryError: null,
    isRetrying: false,
    startTime: NOON,
    elapsedTime: 0,
  })
})

test('what was done before an order does not hang over its dialog, an error does', () => {
  const shown = () => useToasts.getState().items.map(({ text }) => text)
  toastSuccess('File Uploaded successfully.')
  toastError('We couldn’t get the file. Try again.')
  initializeOrder({ orderId: '17', totalCount: 412 })
  expect(shown()).toEqual(['We couldn’t get the file. Try again.'])
  toastSuccess('Copied')
  updateProgress({ processedCount: 3 })
  expect(shown()).toContain('Copied')
  minimize()
  expect(shown()).toContain('Copied')
  maximize()
  expect(shown()).not.toContain('Copied')
})

test('a refused order is shown as failed, with the reason and nothing bought', () => {
  expect(failOrder('Initial Processing Error: out of reach', 412)).toBe(true)
  expect(state()).toMatchObject({
    isVisible: true,
    isMinimized: false,
    orderId: null,
    processedCount: 0,
    totalCount: 412,
  })
  expect(overlayViewFor(state())).toMatchObject({
    title: 'Order Processing Failed!',
    tone: 'red',
    percentage: 100,
    canClose: true,
    canRetry: false,
    clockRunning: false,
    messages: [{ tone: 'red', text: 'Initial Processing Error: out of reach' }],
  })
})

test('a refused order does not replace a running one', () => {
  initializeOrder({ orderId: '17', totalCount: 412 })
  minimize()
  expect(failOrder('Initial Processing Error: out of reach', 3)).toBe(false)
  expect(state()).toMatchObject({ orderId: '17', isMinimized: true, error: null, totalCount: 412 })
})

test('minimise and maximise change the size and nothing else', () => {
  initializeOrder({ orderId: '17', totalCount: 412 })
  minimize()
  expect(state()).toMatchObject({ isVisible: true, isMinimized: true, orderId: '17' })
  maximize()
  expect(state()).toMatchObject({ isVisible: true, isMinimized: false, orderId: '17' })
})

test('a hidden overlay opens large again, with its clock still running', () => {
  initializeOrder({ orderId: '17', totalCount: 412 })
  minimize()
  hideModal()
  expect(state().isVisible).toBe(false)
  later(5)
  showModal()
  tick()
  expect(state()).toMatchObject({
    isVisible: true,
    isMinimized: false,
    orderId: '17',
    elapsedTime: 5,
  })
})

test('showing an order id records that order and restarts the clock', () => {
  initializeOrder({ orderId: '17', totalCount: 412 })
  later(60)
  showModal('18')
  expect(state()).toMatchObject({ orderId: '18', startTime: NOON + 60 * SECOND, elapsedTime: 0 })
})

test('progress changes only the counts that are numbers, and status and files when given', () => {
  initializeOrder({ orderId: '17', totalCount: 412 })
  updateProgress({ processedCount: 278, failedCount: undefined, totalCount: 'many' })
  expect(state()).toMatchObject({
    processedCount: 278,
    failedCount: 0,
    totalCount: 412,
    orderStatus: 'processing',
    fileData: null,
  })
  updateProgress({ status: 'completed', fileData: FILES })
  expect(state()).toMatchObject({ processedCount: 278, orderStatus: 'completed', fileData: FILES })
})

test('the clock counts whole seconds and stops when the order is completed and its files are there', () => {
  initializeOrder({ orderId: '17', totalCount: 412 })
  later(134.9)
  tick()
  expect(state().elapsedTime).toBe(134)
  updateProgress({ status: 'completed', fileData: FILES })
  later(60)
  tick()
  expect(state().elapsedTime).toBe(134)
})

test('clearing errors clears all three', () => {
  failOrder('one', 1)
  setStatusError('two')
  failRetry('three')
  clearErrors()
  expect(state()).toMatchObject({ error: null, statusError: null, retryError: null })
})

test('a partial retry says how many labels were recovered', () => {
  initializeOrder({
    orderId: '17',
    totalCount: 10,
    orderStatus: 'completed_with_errors',
    processedCount: 10,
    failedCount: 3,
  })
  startRetry()
  expect(overlayViewFor(state())).toMatchObject({
    title: 'Retrying 3 Failed Label(s)...',
    retryText: 'Retrying...',
    canClose: false,
  })
  finishRetry({
    fileData: FILES,
    finalProcessedCount: 10,
    finalFailedCount: 1,
    status: 'completed_with_errors',
    updatedTotalCount: 10,
    newlySuccessfulCount: 2,
  })
  expect(state()).toMatchObject({
    isRetrying: false,
    failedCount: 1,
    retryError: '2 labels recovered. 1 still failed.',
  })
})

test('a refused retry shows its reason, or a general failure without one', () => {
  startRetry()
  failRetry('This costs $6.50; your balance is $1.00.')
  expect(state()).toMatchObject({
    isRetrying: false,
    retryError: 'This costs $6.50; your balance is $1.00.',
  })
  failRetry('')
  expect(state().retryError).toBe('An error occurred during the retry attempt.')
})

test('a reload restores the followed order with its elapsed time and size', () => {
  startSession('token', ana)
  startSavingProgress('7')
  initializeOrder({ orderId: '17', totalCount: 412 })
  minimize()
  later(30)
  tick()
  // A reload: the page's memory is empty, the tab's storage is not.
  const stored = sessionStorage.getItem('evenpost.progress.7') ?? ''
  resetBulkOrder()
  sessionStorage.setItem('evenpost.progress.7', stored)
  expect(startSavingProgress('7')).toEqual({
    orderId: '17',
    startTime: NOON,
    elapsedTime: 30,
    isMinimized: true,
  })
})

test('the order is saved for its user only, and only while it is visible', () => {
  startSavingProgress('7')
  initializeOrder({ orderId: '17', totalCount: 412 })
  expect(sessionStorage.getItem('evenpost.progress.7')).toContain('"orderId":"17"')
  expect(sessionStorage.getItem('evenpost.progress.8')).toBeNull()
  hideModal()
  expect(sessionStorage.getItem('evenpost.progress.7')).toBeNull()
})

test('a running order found after a reload counts time from its start', () => {
  resumeOrder(
    { ...FOUND, status: 'processing', processedCount: 5 },
    { startTime: NOON - 90 * SECOND, isMinimized: true },
  )
  expect(state()).toMatchObject({
    orderId: '17',
    processedCount: 5,
    totalCount: 9,
    elapsedTime: 90,
    isMinimized: true,
  })
})

test('a finished order found after a reload keeps its elapsed time', () => {
  resumeOrder({ ...FOUND, fileData: FILES }, { startTime: NOON - 90 * SECOND, elapsedTime: 12 })
  expect(state()).toMatchObject({
    orderStatus: 'completed',
    fileData: FILES,
    elapsedTime: 12,
    isMinimized: false,
  })
})

test('logging out resets the modal and deletes the saved order of this tab', () => {
  startSession('token', ana)
  startSavingProgress('7')
  initializeOrder({ orderId: '17', totalCount: 412 })
  logOut()
  expect(state()).toMatchObject({ isVisible: false, orderId: null, totalCount: 0 })
  expect(sessionStorage.getItem('evenpost.progress.7')).toBeNull()
})
