/** What EasyPost says when it does not do what it was asked: https://docs.easypost.com/docs/errors. Pure. */
import * as z from 'zod'
import type { Failure, FailureKind } from '#server/carriers/port.ts'
import { retryAfterMs } from '#server/carriers/wire/http.ts'
import type { Answer } from '#server/carriers/wire/http.ts'
import { saysNoFunds, sentence } from '#server/carriers/wire/words.ts'

// The message may be a text, a list or an object; the details may be objects or texts (seen in recorded answers).
const Refused = z.object({
  error: z.object({
    code: z.string().min(1),
    message: z.unknown().optional(),
    errors: z.unknown().optional(),
  }),
})

/** Somebody has bought this shipment before: it is to be read, not refused. */
export const isBoughtAlready = (answer: Answer): boolean =>
  codeIn(answer).endsWith('POSTAGE.EXISTS')

/** EasyPost knows no such shipment: its own words, not a page of somebody between us. */
export const isNotFound = (answer: Answer): boolean =>
  answer.status === 404 && codeIn(answer) !== ''

/** The postal service may have sold a label although EasyPost could not say so. */
const MAYBE_SOLD = /(NO_RESPONSE|TIMED_OUT|IN_PROGRESS)$/
/** Money or rights of the operator's account. */
const ACCOUNT =
  /^(PAYMENT|BILLING|PAYMENT_REQUIRED|APIKEY|FORBIDDEN|UNAUTHORIZED|USER)\b|INSUFFICIENT_FUNDS|BALANCE/

/**
 * Why something was not done, by an answer that is no success. `nothingBought`: the question could not have sold anything, so that an
 * overloaded service (503) is worth another try. Secrets are taken out of whatever is repeated.
 */
export function failureOf(
  answer: Answer,
  secrets: string[],
  nowMs: number,
  nothingBought: boolean,
): Failure {
  const code = codeIn(answer)
  const kind = saysNoFunds(whatIn(answer)) ? 'account' : kindOf(answer.status, code, nothingBought)
  const wait = kind === 'retryable' ? retryAfterMs(answer.headers, nowMs) : undefined
  return {
    ok: false,
    kind,
    code: sentence(code || String(answer.status), secrets),
    message: sentence(messageOf(kind, answer), secrets),
    ...(wait !== undefined && { retryAfterMs: wait }),
  }
}

/** What EasyPost publishes for a question that it will not do; 408 and 409 are none of these. */
const REFUSALS = new Set([400, 404, 405, 422])

function kindOf(status: number, code: string, nothingBought: boolean): FailureKind {
  if (status === 429) return 'retryable'
  if (status === 401 || status === 402 || status === 403 || ACCOUNT.test(code)) return 'account'
  if (MAYBE_SOLD.test(code)) return 'unknown'
  if (status === 503 && nothingBought) return 'retryable'
  // Without EasyPost's own words it may have come from anybody between us; with another status the question may still be at work.
  return REFUSALS.has(status) && code !== '' ? 'permanent' : 'unknown'
}

function messageOf(kind: FailureKind, answer: Answer): string {
  switch (kind) {
    case 'permanent':
      return textOf(answer) || 'The carrier refused this label and named no reason'
    case 'account':
      return `EasyPost does not serve this account (${answer.status}): ${textOf(answer) || 'it named no reason'}`
    case 'retryable':
      return 'The carrier is busy'
    case 'unknown':
      return `The carrier had an error (${answer.status})`
  }
}

function codeIn({ body }: Answer): string {
  const refused = Refused.safeParse(body)
  return refused.success ? refused.data.error.code : ''
}

/** The first of what it says itself; empty where it says nothing. */
function whatIn({ body }: Answer): string {
  const refused = Refused.safeParse(body)
  return refused.success ? (flat(refused.data.error.message)[0] ?? '') : ''
}

/** What happened, which value is wrong and, where EasyPost says it, what would help. */
function textOf({ body }: Answer): string {
  const refused = Refused.safeParse(body)
  if (!refused.success) return ''
  const { message, errors } = refused.data.error
  const what = flat(message).join('; ')
  const details = new Set(
    (Array.isArray(errors) ? errors : [])
      .map(detailOf)
      .filter(detail => detail !== '' && detail !== what),
  )
  const why = [...details].join('; ')
  const text = why === '' ? what : what === '' ? why : `${what.replace(/\.$/, '')}: ${why}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function detailOf(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null) return flat(detail).join('; ')
  const { field, message, suggestion } = detail as Record<string, unknown>
  const named = [field, ...flat(message)]
    .filter(part => typeof part === 'string' && part !== '')
    .join(' ')
  return typeof suggestion === 'string' && suggestion !== ''
    ? `${named} (try ${suggestion})`
    : named
}

/** The texts in a value of any shape. */
function flat(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  if (Array.isArray(value)) return value.flatMap(flat)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(flat) : []
}
