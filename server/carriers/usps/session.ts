/**
 * The two tokens every USPS request needs: access, and permission to charge the operator's account.
 * Cached until shortly before they expire; one caller refreshes while others wait.
 */
import { z } from 'zod'
import type { CarrierFailure } from '#server/carriers/port.ts'
import { sendRequest, NotSentError } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import { paymentRequest, tokenRequest } from './request.ts'
import type { UspsAccount } from './request.ts'
import { failureFrom } from './response.ts'

/** `expiresAt`: ms since 1970. */
export type UspsTokens = { ok: true; accessToken: string; paymentToken: string; expiresAt: number }

export type UspsSession = {
  /** `stale`: tokens that were just rejected. A failure means that nothing was purchased. */
  tokens(stale?: UspsTokens): Promise<UspsTokens | CarrierFailure>
  /** Secrets to redact from error messages. */
  secrets(): string[]
}

const TokenBody = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive(),
})
const PaymentBody = z.object({ paymentAuthorizationToken: z.string().min(1) })

const PAYMENT_LIFETIME_MS = 8 * 60 * 60_000
/** Tokens are replaced before they can expire during a request. */
const EXPIRY_MARGIN_MS = 60_000
/** Other callers wait for these responses, so no single caller's timeout applies. */
const REQUEST_TIMEOUT_MS = 4_000

export type UspsSessionOptions = {
  url: string
  clientId: string
  clientSecret: string
  account: UspsAccount
}

const post = (
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<CarrierResponse> =>
  withTimeout(REQUEST_TIMEOUT_MS, signal =>
    sendRequest(
      url,
      {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      },
      signal,
    ),
  )

export function createUspsSession(options: UspsSessionOptions): UspsSession {
  let held: UspsTokens | null = null
  let coming: Promise<UspsTokens | CarrierFailure> | null = null
  const secrets = (): string[] =>
    held ? [options.clientSecret, held.accessToken, held.paymentToken] : [options.clientSecret]

  async function fetchBoth(): Promise<UspsTokens | CarrierFailure> {
    const token = await post(
      `${options.url}/oauth2/v3/token`,
      tokenRequest(options.clientId, options.clientSecret),
    )
    const access = token.status === 200 ? TokenBody.safeParse(token.body) : null
    if (!access?.success) return refusal(token)
    const payment = await post(
      `${options.url}/payments/v3/payment-authorization`,
      paymentRequest(options.account),
      {
        authorization: `Bearer ${access.data.access_token}`,
      },
    )
    const right = payment.status === 200 ? PaymentBody.safeParse(payment.body) : null
    if (!right?.success) return refusal(payment, access.data.access_token)
    const lastsMs = Math.min(access.data.expires_in * 1000, PAYMENT_LIFETIME_MS)
    return {
      ok: true,
      accessToken: access.data.access_token,
      paymentToken: right.data.paymentAuthorizationToken,
      expiresAt: Date.now() + Math.max(lastsMs - EXPIRY_MARGIN_MS, lastsMs / 2),
    }
  }

  /** An error here concerns the operator's account; no label was purchased. */
  function refusal(response: CarrierResponse, ...tokens: string[]): CarrierFailure {
    const { isUncertain: _, ...failure } = failureFrom(response, {
      secrets: [...secrets(), ...tokens],
      nowMs: Date.now(),
    })
    const kind =
      failure.kind === 'permanent'
        ? 'account'
        : failure.kind === 'unknown'
          ? 'retryable'
          : failure.kind
    return { ...failure, kind }
  }

  async function renew(): Promise<UspsTokens | CarrierFailure> {
    try {
      const response = await fetchBoth()
      held = response.ok ? response : null
      return response
    } catch (error) {
      const code = error instanceof NotSentError ? error.code : 'NO_TOKEN'
      return { ok: false, kind: 'retryable', code, message: 'The carrier cannot be reached' }
    } finally {
      coming = null
    }
  }

  return {
    secrets,
    async tokens(stale) {
      if (held && held !== stale && held.expiresAt > Date.now()) return held
      return (coming ??= renew())
    },
  }
}
