import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { User } from '#contract/accounts.ts'
import { cents } from '#contract/money.ts'
import { row } from '#tests/support/rows.ts'
import { createStubServer } from '#tests/support/stub-http-server.ts'
import { useBulk } from '#web/batches/bulk/drafts/bulk-store.ts'
import { EMPTY_BULK_DRAFT } from '#web/batches/bulk/drafts/draft.ts'
import { resetBulkOrder } from '#web/batches/progress/progress-store.ts'
import { configureSend } from '#web/client/send.ts'
import { startSession, useSession } from '#web/client/session.ts'
import { submitTable } from './submit.ts'

const ben: User = {
  _id: '7',
  name: 'Ben',
  email: 'ben@example.com',
  user_role: 'user',
  balance: 50,
  referralCode: 'BEN',
  totalDeposit: 50,
  totalSpent: 0,
  activation: 'allow',
  avatar: null,
}
type SentOrder = {
  orderData: unknown[]
  allowRepeats?: boolean
  repeats?: number
  maxCost?: number
}
/** Each row is shown at $6.50. */
const shownCost = (rows: readonly unknown[]) => cents(650 * rows.length)

const INIT = '/api/orders/bulk/init'
const PROCESS = '/api/orders/bulk/process/7'
const ACCEPTED = {
  status: 202,
  body: { orderId: '17', accepted: true, totalCount: 3, cost: 19.5 },
}
let answer: { status: number; body: unknown } = ACCEPTED
/** Of the request for an order id. */
let initAnswer: { status: number; body: unknown } | null = null
let sent: SentOrder[] = []
const server = createStubServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    const isProcess = request.url === PROCESS
    if (isProcess) sent.push(JSON.parse(text) as SentOrder)
    const init = request.url === INIT ? initAnswer : null
    const { status, body } = isProcess ? answer : (init ?? { status: 200, body: { user: ben } })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
})
// Other tests use the same server settings, so they are restored.
const before = configureSend({})

beforeAll(() => new Promise<void>(ready => server.listen(0, '127.0.0.1', ready)))
afterAll(() => {
  configureSend(before)
  server.close()
})
beforeEach(() => {
  configureSend({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  startSession('token', ben)
  answer = ACCEPTED
  initAnswer = null
  sent = []
  const rows = [1, 2, 3].map(n => ({
    ...row(n),
    id: `row-${n - 1}` as const,
    line: n,
    notices: [],
  }))
  useBulk.setState({
    userId: '7',
    draft: { ...EMPTY_BULK_DRAFT, key: 'table', rows, orderId: '17' },
    submitting: false,
    problem: null,
  })
})
afterEach(() => {
  resetBulkOrder()
  useSession.setState({ token: null, user: null })
})

test('rows that were kept although they have a label are sent with their number', async () => {
  expect(await submitTable({ allowRepeats: true, repeats: 2, shownCost })).toBe('accepted')
  expect(sent[0]).toMatchObject({ allowRepeats: true, repeats: 2 })
  expect(sent[0]!.orderData).toHaveLength(3)
  expect(useBulk.getState().draft.rows).toEqual([])
})

test('a submit without that choice allows none, and a part of the table leaves the rest', async () => {
  expect(await submitTable({ firstRows: 2, repeats: 2, shownCost })).toBe('accepted')
  expect(sent[0]).not.toHaveProperty('allowRepeats')
  expect(sent[0]).not.toHaveProperty('repeats')
  expect(sent[0]!.orderData).toHaveLength(2)
  expect(useBulk.getState().draft.rows).toHaveLength(1)
})

test('rows that were bought meanwhile stay in the table, and the choice is asked', async () => {
  const message = '1 row already has a label. Leave it out, or allow repeats.'
  answer = { status: 409, body: { message, code: 'already_bought' } }
  expect(await submitTable({ shownCost })).toBe('repeats')
  const { draft, problem, submitting } = useBulk.getState()
  expect([draft.rows.length, draft.lost, submitting]).toEqual([3, false, false])
  expect(problem?.text).toBe(message)
})

test('a balance that was spent meanwhile buys nothing, and the rows stay', async () => {
  const message = 'Insufficient balance: this order costs $19.50; your balance is $5.00.'
  answer = { status: 402, body: { message, code: 'insufficient_balance' } }
  expect(await submitTable({ shownCost })).toBe('balance')
  const { draft, problem } = useBulk.getState()
  expect([draft.rows.length, draft.lost]).toEqual([3, false])
  expect(problem?.text).toBe(message)
})

test('the rows that are sent may cost what is shown for them and not more, also when they are a part', async () => {
  expect(await submitTable({ firstRows: 2, shownCost })).toBe('accepted')
  expect(await submitTable({ shownCost })).toBe('accepted')
  expect(sent.map(({ maxCost }) => maxCost)).toEqual([13, 6.5])
})

test('rows sent again after a lost answer may not cost more than is shown now either', async () => {
  answer = { status: 502, body: {} }
  expect(await submitTable({ shownCost })).toBe('refused')
  expect(useBulk.getState().draft.lost).toBe(true)
  const message = 'These labels cost $19.50, more than maxCost $0.00. Nothing was bought.'
  answer = { status: 422, body: { message, code: 'price_changed' } }
  expect(await submitTable({ shownCost: () => cents(0) })).toBe('price changed')
  expect(sent.map(({ maxCost }) => maxCost)).toEqual([19.5, 0])
  const { draft, problem } = useBulk.getState()
  expect([draft.rows.length, draft.lost]).toEqual([3, false])
  expect(problem?.text).toBe('The price has changed since it was shown. Nothing was bought.')
})

test('an order that could not be begun says that nothing was ordered, and offers to try again', async () => {
  const { draft } = useBulk.getState()
  useBulk.setState({ draft: { ...draft, orderId: null } })
  configureSend({ origin: 'http://127.0.0.1:1' })
  expect(await submitTable({ shownCost })).toBe('refused')
  expect(useBulk.getState().problem).toMatchObject({
    text: 'Failed to initialize bulk order. Nothing was ordered. Check your connection.',
    canRetry: true,
  })
  expect(useBulk.getState().draft).toMatchObject({ orderId: null, lost: false })
})

test('a busy server is not called a lost connection', async () => {
  const body = { message: 'The server is busy.', code: 'busy' }
  const { draft } = useBulk.getState()
  useBulk.setState({ draft: { ...draft, orderId: null } })
  initAnswer = { status: 503, body }
  expect(await submitTable({ shownCost })).toBe('refused')
  expect(useBulk.getState().problem).toMatchObject({
    text: 'The server is busy. Nothing was ordered. Try again.',
    canRetry: true,
  })
  useBulk.setState({ draft })
  answer = { status: 503, body }
  expect(await submitTable({ shownCost })).toBe('refused')
  expect(useBulk.getState().problem).toMatchObject({
    text: 'The server is busy. Try again. You won’t be charged twice.',
    canRetry: true,
  })
  expect(useBulk.getState().draft.lost).toBe(true)
})
