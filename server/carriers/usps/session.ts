/**
 * The two permissions that every question to USPS needs: an access token, and one to take postage from the operator's account. Both are
 * kept until shortly before they end, and asked for by one caller while the others wait for him.
 */
import { z } from 'zod'
import type { Failure } from '#server/carriers/port.ts'
import { ask, NotSent } from '#server/carriers/wire/http.ts'
import type { Answer } from '#server/carriers/wire/http.ts'
import { failureOf } from './answer.ts'
import { paymentRequest, tokenRequest } from './request.ts'
import type { UspsAccount } from './request.ts'

/** `endsAt`: ms since 1970. */
export type Permission = { ok: true; token: string; payment: string; endsAt: number }

export type Session = {
  /** The permissions, or why there are none; nothing was bought by then. `stale`: those that the carrier has just refused. */
  open(stale?: Permission): Promise<Permission | Failure>
  /** Tokens that must stand in no sentence. */
  secrets(): string[]
}

const Token = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive(),
})
const Payment = z.object({ paymentAuthorizationToken: z.string().min(1) })

const PAYMENT_LASTS_MS = 8 * 60 * 60_000
/** Ended by us before the carrier does it in the middle of a question. */
const SPARE_MS = 60_000
/** Others wait for these answers, so that no single caller's patience ends them. */
const PATIENCE_MS = 4_000

export type SessionWish = {
  url: string
  clientId: string
  clientSecret: string
  account: UspsAccount
}

export function openSession(wish: SessionWish): Session {
  let held: Permission | null = null
  let coming: Promise<Permission | Failure> | null = null
  const secrets = (): string[] =>
    held ? [wish.clientSecret, held.token, held.payment] : [wish.clientSecret]

  const post = (
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    ask(
      `${wish.url}${path}`,
      {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      },
      AbortSignal.timeout(PATIENCE_MS),
    )

  async function fetchBoth(): Promise<Permission | Failure> {
    const token = await post('/oauth2/v3/token', tokenRequest(wish.clientId, wish.clientSecret))
    const access = token.status === 200 ? Token.safeParse(token.body) : null
    if (!access?.success) return refusal(token)
    const payment = await post('/payments/v3/payment-authorization', paymentRequest(wish.account), {
      authorization: `Bearer ${access.data.access_token}`,
    })
    const right = payment.status === 200 ? Payment.safeParse(payment.body) : null
    if (!right?.success) return refusal(payment, access.data.access_token)
    const lastsMs = Math.min(access.data.expires_in * 1000, PAYMENT_LASTS_MS)
    return {
      ok: true,
      token: access.data.access_token,
      payment: right.data.paymentAuthorizationToken,
      endsAt: Date.now() + Math.max(lastsMs - SPARE_MS, lastsMs / 2),
    }
  }

  /** Whatever is wrong with these two questions is between the carrier and the operator, and no label is bought by it. */
  function refusal(answer: Answer, ...tokens: string[]): Failure {
    const failure = failureOf(answer, { secrets: [...secrets(), ...tokens], nowMs: Date.now() })
    const kind =
      failure.kind === 'permanent'
        ? 'account'
        : failure.kind === 'unknown'
          ? 'retryable'
          : failure.kind
    return { ...failure, kind }
  }

  async function renew(): Promise<Permission | Failure> {
    try {
      const answer = await fetchBoth()
      held = answer.ok ? answer : null
      return answer
    } catch (error) {
      const code = error instanceof NotSent ? error.code : 'NO_TOKEN'
      return { ok: false, kind: 'retryable', code, message: 'The carrier cannot be reached' }
    } finally {
      coming = null
    }
  }

  return {
    secrets,
    async open(stale) {
      if (held && held !== stale && held.endsAt > Date.now()) return held
      return (coming ??= renew())
    },
  }
}
