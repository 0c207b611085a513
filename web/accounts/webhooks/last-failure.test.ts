import { expect, test } from 'vitest'
import type { Delivery, WebhookTry } from '#contract/webhooks.ts'
import { failureText, lastFailure, nextTry } from './last-failure.ts'

const made = (at: string, outcome: WebhookTry['outcome'], status: number | null): WebhookTry => ({
  at,
  replay: false,
  outcome,
  status,
  ms: 20,
  answer: null,
})
const delivery = (...tries: WebhookTry[]): Delivery => ({
  _id: '1',
  messageId: 'msg_1',
  type: 'label.bought',
  state: 'waiting',
  createdAt: '2026-11-01T08:00:00.000Z',
  nextTry: null,
  body: '{}',
  tries,
})

test('the newest failed try counts, in whichever delivery it is', () => {
  const newest = made('2026-11-01T10:00:00.000Z', 'refused', 500)
  const deliveries = [
    delivery(made('2026-11-01T09:30:00.000Z', 'timed_out', null)),
    delivery(
      made('2026-11-01T09:00:00.000Z', 'unreachable', null),
      newest,
      made('2026-11-01T11:00:00.000Z', 'delivered', 204),
    ),
    delivery(),
  ]
  expect(lastFailure(deliveries)).toEqual(newest)
  expect(lastFailure([delivery(made('2026-11-01T11:00:00.000Z', 'delivered', 204))])).toBeNull()
})

test('the next try is the earliest one to come', () => {
  const now = Date.parse('2026-11-01T10:00:00.000Z')
  const waiting = (at: string | null): Delivery => ({ ...delivery(), nextTry: at })
  const deliveries = [
    waiting('2026-11-01T12:00:00.000Z'),
    waiting('2026-11-01T10:05:00.000Z'),
    waiting('2026-11-01T09:59:00.000Z'),
    waiting(null),
  ]
  expect(nextTry(deliveries, now)).toBe('2026-11-01T10:05:00.000Z')
  expect(nextTry([waiting(null)], now)).toBeNull()
})

test('a reason has the status of the answer, once', () => {
  const at = '2026-11-01T10:00:00.000Z'
  expect(failureText(made(at, 'refused', 500))).toBe('Error response (HTTP 500)')
  expect(failureText(made(at, 'gone', 410))).toBe('Status 410: asked for no more messages')
  expect(failureText(made(at, 'unreachable', null))).toBe('No connection')
})
