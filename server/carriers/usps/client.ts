import type { CarrierFailure } from '#server/carriers/port.ts'
import { sendRequest } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { isUnauthorized } from './response.ts'
import type { ResponseContext } from './response.ts'
import { createUspsSession } from './session.ts'
import type { UspsSessionOptions } from './session.ts'

/**
 * `key`: the idempotency key. `accept`: by default one JSON with label and figures. `isFree`:
 * without the token that charges the account.
 */
export type CarrierRequest = {
  method: string
  path: string
  body?: object
  key?: string
  accept?: string
  isFree?: boolean
}

export type ApiClient = {
  /**
   * Sends with the tokens that the call needs; if they are rejected, once more with new ones. A failure
   * means that nothing was sent.
   */
  send(request: CarrierRequest, signal: AbortSignal): Promise<CarrierResponse | CarrierFailure>
  /** `asked`: the request's body. */
  responseContext(asked?: unknown): ResponseContext
}

const LABELS_JSON = 'application/vnd.usps.labels+json'

export function createClient(options: UspsSessionOptions): ApiClient {
  const session = createUspsSession(options)
  return {
    responseContext: asked => ({
      requestBody: asked,
      secrets: session.secrets(),
      nowMs: Date.now(),
    }),
    async send({ method, path, body, key, accept = LABELS_JSON, isFree }, signal) {
      const once = (token: string, payment?: string): Promise<CarrierResponse> =>
        sendRequest(
          `${options.url}${path}`,
          {
            method,
            headers: {
              accept,
              authorization: `Bearer ${token}`,
              ...(payment !== undefined && { 'x-payment-authorization-token': payment }),
              ...(key && { 'x-idempotency-key': key }),
              ...(body && { 'content-type': 'application/json' }),
            },
            ...(body && { body: JSON.stringify(body) }),
          },
          signal,
        )
      if (isFree) return twiceIfRejected(session.access, access => once(access.accessToken))
      return twiceIfRejected(session.payment, ({ access, paymentToken }) =>
        once(access.accessToken, paymentToken),
      )
    },
  }
}

async function twiceIfRejected<T extends { ok: true }>(
  tokens: (stale?: T) => Promise<T | CarrierFailure>,
  send: (tokens: T) => Promise<CarrierResponse>,
): Promise<CarrierResponse | CarrierFailure> {
  const first = await tokens()
  if (!first.ok) return first
  const response = await send(first)
  if (response.status === 402 || !isUnauthorized(response)) return response
  const second = await tokens(first)
  return second.ok ? send(second) : second
}
