import type { Failure } from '#server/carriers/port.ts'
import { ask } from '#server/carriers/wire/http.ts'
import type { Answer } from '#server/carriers/wire/http.ts'
import { isLockedOut } from './answer.ts'
import type { Context } from './answer.ts'
import { openSession } from './session.ts'
import type { SessionWish } from './session.ts'

/** `key`: the idempotency key. `accept`: what the answer should be, a label with its figures in one JSON unless said otherwise. */
export type Question = {
  method: string
  path: string
  body?: object
  key?: string
  accept?: string
}

export type Desk = {
  /** Asks with both permissions; with new ones, once, where the carrier no longer takes them. A Failure: it was not asked. */
  ask(question: Question, signal: AbortSignal): Promise<Answer | Failure>
  /** What is needed to read an answer; `asked`: the body of the question. */
  context(asked?: unknown): Context
}

const LABELS_JSON = 'application/vnd.usps.labels+json'

export function openDesk(wish: SessionWish): Desk {
  const session = openSession(wish)
  return {
    context: asked => ({ asked, secrets: session.secrets(), nowMs: Date.now() }),
    async ask({ method, path, body, key, accept = LABELS_JSON }, signal) {
      const once = (token: string, payment: string): Promise<Answer> =>
        ask(
          `${wish.url}${path}`,
          {
            method,
            headers: {
              accept,
              authorization: `Bearer ${token}`,
              'x-payment-authorization-token': payment,
              ...(key && { 'x-idempotency-key': key }),
              ...(body && { 'content-type': 'application/json' }),
            },
            ...(body && { body: JSON.stringify(body) }),
          },
          signal,
        )
      const first = await session.open()
      if (!first.ok) return first
      const answer = await once(first.token, first.payment)
      if (answer.status === 402 || !isLockedOut(answer)) return answer
      const second = await session.open(first)
      return second.ok ? once(second.token, second.payment) : second
    },
  }
}
