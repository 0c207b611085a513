import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { User } from '#contract/accounts.ts'
import type { Batch, BatchProgress } from '#contract/batches.ts'
import { createStubServer } from '#tests/support/stub-http-server.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { configureSend } from '#web/client/send.ts'
import { startSession, useSession } from '#web/client/session.ts'
import { isFollowed, applyProgress } from './follow.ts'
import { overlayViewFor } from './overlay-view.ts'
import { INITIAL_PROGRESS_STATE } from './progress-state.ts'
import {
  initializeOrder,
  minimize,
  resetBulkOrder,
  resumeOrder,
  useProgress,
} from './progress-store.ts'
import { resumeProgress } from './resume.ts'
import { retryFollowedOrder } from './retry.ts'

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
const FILES = { pdfName: 'batch.pdf', resultCSVName: 'batch.csv', autoConfirmCSVName: null }
const progress = (change: Partial<BatchProgress>): BatchProgress => ({
  orderId: '17',
  status: 'processing',
  processedCount: 4,
  failedCount: 0,
  totalCount: 10,
  fileData: null,
  updatedAt: '2026-11-20T12:00:00.000Z',
  ...change,
})
const ENDED = progress({
  status: 'completed_with_errors',
  processedCount: 10,
  failedCount: 3,
  fileData: FILES,
})

/** Responses by path; all other paths get 404. */
let says: Record<string, { status?: number; body: unknown; date?: string }> = {}
let heard: string[] = []
const server = createStubServer((request, response) => {
  const path = request.url ?? ''
  heard.push(`${request.method} ${path}`)
  const {
    status = 200,
    body,
    date,
  } = says[path] ?? {
    status: 404,
    body: { message: 'There is no such order' },
  }
  const headers = { 'content-type': 'application/json', ...(date && { date }) }
  response.writeHead(status, headers).end(JSON.stringify(body))
})

const STATUS = '/api/orders/bulk/status/17?failedLabels=none'
const RUNNING = '/api/orders/bulk/running/7'
const RETRY = '/api/orders/bulk/retry-failed/17'
const state = () => useProgress.getState()
const never = new AbortController().signal
// Other tests use the same server settings, so they are restored.
const before = configureSend({})

beforeAll(() => new Promise<void>(ready => server.listen(0, '127.0.0.1', ready)))
afterAll(() => {
  configureSend(before)
  server.close()
})

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  })
  configureSend({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  startSession('token', ana)
  heard = []
  says = {
    [RUNNING]: { body: { running: null } },
    '/api/auth/verify': { body: { user: { ...ana, balance: 13.5 } } },
  }
  resetBulkOrder()
})
afterEach(() => {
  resetBulkOrder()
  queryClient.clear()
  useSession.setState({ token: null, user: null })
  vi.unstubAllGlobals()
})

test('a running or retried order is followed; an ended or hidden one is not', () => {
  const shown = { ...INITIAL_PROGRESS_STATE, isVisible: true, orderId: '17' }
  expect(isFollowed(shown)).toBe(true)
  expect(isFollowed({ ...shown, isMinimized: true })).toBe(true)
  expect(isFollowed({ ...shown, orderStatus: 'completed_with_errors' })).toBe(false)
  expect(isFollowed({ ...shown, orderStatus: 'completed_with_errors', isRetrying: true })).toBe(
    true,
  )
  expect(isFollowed({ ...shown, isVisible: false })).toBe(false)
})

test('the demo order is not requested from the server', () => {
  expect(isFollowed({ ...INITIAL_PROGRESS_STATE, isVisible: true, orderId: 'demo-order' })).toBe(
    false,
  )
})

test('the end of an order refreshes the balance', async () => {
  initializeOrder({ orderId: '17', totalCount: 10 })
  applyProgress('7', ENDED)
  await vi.waitFor(() => expect(useSession.getState().user?.balance).toBe(13.5), {
    timeout: 300_000,
  })
})

test('the list of bulk orders updates with the overlay', () => {
  const row = {
    _id: '17',
    status: 'processing',
    processedCount: 1,
    failedCount: 0,
    totalCount: 10,
  } as Batch
  queryClient.setQueryData(queryKeys.batchPage('7', 1), {
    rows: [{ ...row, _id: '18' }, row],
    total: 2,
  })
  applyProgress('7', progress({ processedCount: 6 }))
  expect(queryClient.getQueryData(queryKeys.batchPage('7', 1))).toMatchObject({
    rows: [
      { _id: '18', processedCount: 1 },
      { _id: '17', processedCount: 6 },
    ],
  })
})

test('a sign-in shows a running order as the small card', async () => {
  says[RUNNING] = { body: { running: { ...progress({}), startedAt: '2026-11-20T11:59:00.000Z' } } }
  await resumeProgress('7', never)
  expect(state()).toMatchObject({
    orderId: '17',
    processedCount: 4,
    isVisible: true,
    isMinimized: true,
  })
})

test('the time of a running order is right on a device whose clock is wrong by days', async () => {
  says[RUNNING] = {
    body: { running: { ...progress({}), startedAt: '2026-11-20T11:59:00.000Z' } },
    date: 'Fri, 20 Nov 2026 12:00:00 GMT',
  }
  await resumeProgress('7', never)
  expect(state().elapsedTime).toBeGreaterThanOrEqual(60)
  expect(state().elapsedTime).toBeLessThan(3600)
})

test('a reload restores the order of this tab and its size, even if the order has ended', async () => {
  sessionStorage.setItem(
    'evenpost.progress.7',
    JSON.stringify({ orderId: '17', startTime: 1, elapsedTime: 42, isMinimized: false }),
  )
  says[STATUS] = { body: ENDED }
  await resumeProgress('7', never)
  expect(state()).toMatchObject({
    orderId: '17',
    orderStatus: ENDED.status,
    isMinimized: false,
    elapsedTime: 42,
    fileData: FILES,
  })
})

test('an order unknown to the server disappears without an error', async () => {
  sessionStorage.setItem(
    'evenpost.progress.7',
    JSON.stringify({ orderId: '17', startTime: 1, elapsedTime: 42, isMinimized: false }),
  )
  await resumeProgress('7', never)
  expect(state()).toMatchObject({ orderId: null, isVisible: false })
  expect(sessionStorage.getItem('evenpost.progress.7')).toBeNull()
})

test('while the server is unreachable, the saved order is shown and polled', async () => {
  sessionStorage.setItem(
    'evenpost.progress.7',
    JSON.stringify({ orderId: '17', startTime: 1, elapsedTime: 42, isMinimized: true }),
  )
  says[STATUS] = { status: 503, body: { message: 'Down for a moment' } }
  await resumeProgress('7', never)
  expect(state()).toMatchObject({
    orderId: '17',
    isMinimized: true,
    elapsedTime: 42,
    statusError: null,
  })
  expect(isFollowed(state())).toBe(true)
})

test('an order submitted meanwhile is not replaced by the one found', async () => {
  says[RUNNING] = { body: { running: { ...progress({}), startedAt: '2026-11-20T11:59:00.000Z' } } }
  const finding = resumeProgress('7', never)
  initializeOrder({ orderId: '18', totalCount: 3 })
  await finding
  expect(state().orderId).toBe('18')
})

test('a double click retries once', async () => {
  resumeOrder(ENDED, { startTime: 0 })
  says[RETRY] = {
    body: {
      fileData: FILES,
      finalProcessedCount: 10,
      finalFailedCount: 1,
      status: 'completed_with_errors',
      updatedTotalCount: 10,
      newlySuccessfulCount: 2,
    },
  }
  await Promise.all([retryFollowedOrder('7'), retryFollowedOrder('7')])
  expect(heard.filter(call => call === `POST ${RETRY}`)).toHaveLength(1)
  expect(state()).toMatchObject({
    failedCount: 1,
    isRetrying: false,
    retryError: '2 labels recovered. 1 still failed.',
  })
})

test('a retry that runs longer than its response reports its result at the end', async () => {
  resumeOrder(ENDED, { startTime: 0 })
  says[RETRY] = {
    body: {
      fileData: null,
      finalProcessedCount: 7,
      finalFailedCount: 3,
      status: 'retrying_failed',
      updatedTotalCount: 10,
      newlySuccessfulCount: 0,
    },
  }
  await retryFollowedOrder('7')
  expect(overlayViewFor(state())).toMatchObject({
    title: 'Retrying 3 Failed Label(s)...',
    canClose: false,
  })
  applyProgress('7', { ...ENDED, failedCount: 2 })
  expect(state()).toMatchObject({
    failedCount: 2,
    retryError: '1 labels recovered. 2 still failed.',
  })
})

test('a refused retry shows the server’s reason', async () => {
  resumeOrder(ENDED, { startTime: 0 })
  says[RETRY] = { status: 402, body: { message: 'Insufficient balance' } }
  says[STATUS] = { body: ENDED }
  await retryFollowedOrder('7')
  expect(state()).toMatchObject({
    orderStatus: 'completed_with_errors',
    retryError: 'Insufficient balance',
    isRetrying: false,
  })
})

test('a retry that was refused because rows were bought since buys them again only when asked', async () => {
  initializeOrder({ orderId: '17', totalCount: 10 })
  applyProgress('7', ENDED)
  says[STATUS] = { body: ENDED }
  const message = '1 of the failed rows was bought since, in bulk order 18: row 2.'
  says[RETRY] = { status: 409, body: { message, code: 'already_bought' } }
  await retryFollowedOrder('7')
  expect(state()).toMatchObject({ retryError: message, boughtSince: true })
  await retryFollowedOrder('7')
  await retryFollowedOrder('7', true)
  expect(heard.filter(call => call.startsWith(`POST ${RETRY}`))).toEqual([
    `POST ${RETRY}`,
    `POST ${RETRY}`,
    `POST ${RETRY}?allowRepeats=1`,
  ])
})

test('an answer given at once to the question about repeats is not lost', async () => {
  resumeOrder(ENDED, { startTime: 0 })
  says[STATUS] = { body: ENDED }
  says[RETRY] = { status: 409, body: { message: 'Bought since.', code: 'already_bought' } }
  const asked = new Promise<void>(shown => {
    const stop = useProgress.subscribe(({ boughtSince }) => {
      if (!boughtSince) return
      stop()
      setTimeout(shown)
    })
  })
  const refused = retryFollowedOrder('7')
  await asked
  await retryFollowedOrder('7', true)
  await refused
  expect(heard).toContain(`POST ${RETRY}?allowRepeats=1`)
})

test('a retry already running in another tab is followed without an error', async () => {
  resumeOrder(ENDED, { startTime: 0 })
  minimize()
  says[RETRY] = { status: 409, body: { message: 'This order is being processed' } }
  says[STATUS] = { body: { ...ENDED, status: 'retrying_failed', processedCount: 7 } }
  await retryFollowedOrder('7')
  expect(state()).toMatchObject({ orderStatus: 'retrying_failed', retryError: null })
  expect(isFollowed(state())).toBe(true)
})
