/**
 * The tokens of USPS requests: access, and permission to charge the operator's account, which free calls do without.
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
type Expiring = { ok: true; expiresAt: number }
export type UspsAccess = Expiring & { accessToken: string }
export type UspsPayment = Expiring & { access: UspsAccess; paymentToken: string }

/** `stale`: what was just rejected. A failure means that nothing was purchased. */
export type UspsSession = {
  /** For free calls. */
  access(stale?: UspsAccess): Promise<UspsAccess | CarrierFailure>
  /** With the access it was given to. */
  payment(stale?: UspsPayment): Promise<UspsPayment | CarrierFailure>
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

const expiryOf = (lastsMs: number): number =>
  Date.now() + Math.max(lastsMs - EXPIRY_MARGIN_MS, lastsMs / 2)

export function createUspsSession(options: UspsSessionOptions): UspsSession {
  const secrets = (): string[] => {
    const paid = payment.held()
    const tokens = [access.held()?.accessToken, paid?.access.accessToken, paid?.paymentToken]
    return [options.clientSecret, ...tokens.filter(text => text !== undefined)]
  }

  const access = heldUntilExpiry<UspsAccess>(async () => {
    const response = await post(
      `${options.url}/oauth2/v3/token`,
      tokenRequest(options.clientId, options.clientSecret),
    )
    const token = response.status === 200 ? TokenBody.safeParse(response.body).data : undefined
    if (!token) return refusal(response)
    return {
      ok: true,
      accessToken: token.access_token,
      expiresAt: expiryOf(token.expires_in * 1000),
    }
  })

  const payment = heldUntilExpiry<UspsPayment>(async stale => {
    const ask = ({ accessToken }: UspsAccess): Promise<CarrierResponse> =>
      post(`${options.url}/payments/v3/payment-authorization`, paymentRequest(options.account), {
        authorization: `Bearer ${accessToken}`,
      })
    let granted = await access.get(stale?.access)
    if (!granted.ok) return granted
    let response = await ask(granted)
    // The access may have ended since the last free call.
    if (response.status === 401) {
      granted = await access.get(granted)
      if (!granted.ok) return granted
      response = await ask(granted)
    }
    const body = response.status === 200 ? PaymentBody.safeParse(response.body).data : undefined
    if (!body) return refusal(response)
    return {
      ok: true,
      access: granted,
      paymentToken: body.paymentAuthorizationToken,
      expiresAt: Math.min(granted.expiresAt, expiryOf(PAYMENT_LIFETIME_MS)),
    }
  })

  /** An error here concerns the operator's account; no label was purchased. */
  function refusal(response: CarrierResponse): CarrierFailure {
    const { isUncertain: _, ...failure } = failureFrom(response, {
      secrets: secrets(),
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

  return { secrets, access: access.get, payment: payment.get }
}

/** `renew` gets what was rejected, if anything was. */
function heldUntilExpiry<T extends Expiring>(
  renew: (stale: T | undefined) => Promise<T | CarrierFailure>,
) {
  let held: T | null = null
  let coming: Promise<T | CarrierFailure> | null = null

  async function replace(stale: T | undefined): Promise<T | CarrierFailure> {
    try {
      const renewed = await renew(stale)
      held = renewed.ok ? renewed : null
      return renewed
    } catch (error) {
      const code = error instanceof NotSentError ? error.code : 'NO_TOKEN'
      return { ok: false, kind: 'retryable', code, message: 'The carrier cannot be reached' }
    } finally {
      coming = null
    }
  }

  return {
    held: () => held,
    async get(stale?: T): Promise<T | CarrierFailure> {
      if (held && held !== stale && held.expiresAt > Date.now()) return held
      return (coming ??= replace(stale))
    },
  }
}
