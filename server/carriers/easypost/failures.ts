/** EasyPost's errors: https://docs.easypost.com/docs/errors. Pure. */
import * as z from 'zod'
import type { CarrierFailure, FailureKind } from '#server/carriers/port.ts'
import { retryAfterMs } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { saysNoFunds, sanitizeMessage } from '#server/carriers/wire/parsing.ts'

// Recorded responses have the message as a string, list or object, and the details as objects or
// strings.
const ErrorBody = z.object({
  error: z.object({
    code: z.string().min(1),
    message: z.unknown().optional(),
    errors: z.unknown().optional(),
  }),
})

/** The shipment was bought before: read it instead of failing. */
export const isAlreadyPurchased = (response: CarrierResponse): boolean =>
  errorCodeIn(response).endsWith('POSTAGE.EXISTS')

/** EasyPost itself says that there is no such shipment; a proxy's error page does not count. */
export const isNotFound = (response: CarrierResponse): boolean =>
  response.status === 404 && errorCodeIn(response) !== ''

/** The postal service may have sold a label although EasyPost had no response from it. */
const MAYBE_PURCHASED_CODE = /(NO_RESPONSE|TIMED_OUT|IN_PROGRESS)$/
/** Balance or permissions of the operator's account. */
const ACCOUNT_CODE =
  /^(PAYMENT|BILLING|PAYMENT_REQUIRED|APIKEY|FORBIDDEN|UNAUTHORIZED|USER)\b|INSUFFICIENT_FUNDS|BALANCE/

/**
 * Maps an error response. `nothingBought`: the call could not buy anything, so a 503 may be
 * retried. Secrets are redacted.
 */
export function failureFrom(
  response: CarrierResponse,
  secrets: string[],
  nowMs: number,
  nothingBought: boolean,
): CarrierFailure {
  const code = errorCodeIn(response)
  const kind = saysNoFunds(firstMessageIn(response))
    ? 'account'
    : failureKind(response.status, code, nothingBought)
  const isUncertain = kind === 'account' && code === '' && !nothingBought
  const wait = kind === 'retryable' ? retryAfterMs(response.headers, nowMs) : undefined
  return {
    ok: false,
    kind,
    code: sanitizeMessage(code || String(response.status), secrets),
    message: sanitizeMessage(failureMessage(kind, response), secrets),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(isUncertain && { isUncertain }),
  }
}

/** EasyPost's published refusals; 408 and 409 are not among them. */
const PERMANENT_STATUSES = new Set([400, 404, 405, 422])

function failureKind(status: number, code: string, nothingBought: boolean): FailureKind {
  if (status === 429) return 'retryable'
  if (MAYBE_PURCHASED_CODE.test(code)) return 'unknown'
  if (status === 401 || status === 402 || status === 403 || ACCOUNT_CODE.test(code))
    return 'account'
  if (status === 503 && nothingBought) return 'retryable'
  // Without an EasyPost error code the response may come from a proxy; other statuses leave the
  // request open.
  return PERMANENT_STATUSES.has(status) && code !== '' ? 'permanent' : 'unknown'
}

function failureMessage(kind: FailureKind, response: CarrierResponse): string {
  switch (kind) {
    case 'permanent':
      return fullMessageIn(response) || 'The carrier refused this label and named no reason'
    case 'account':
      return `EasyPost does not serve this account (${response.status}): ${fullMessageIn(response) || 'it named no reason'}`
    case 'retryable':
      return 'The carrier is busy'
    case 'unknown':
      return `The carrier had an error (${response.status})`
  }
}

function errorCodeIn({ body }: CarrierResponse): string {
  const refused = ErrorBody.safeParse(body)
  return refused.success ? refused.data.error.code : ''
}

function firstMessageIn({ body }: CarrierResponse): string {
  const refused = ErrorBody.safeParse(body)
  return refused.success ? (flattenTexts(refused.data.error.message)[0] ?? '') : ''
}

/** What happened, which value is wrong and, if known, the remedy. */
function fullMessageIn({ body }: CarrierResponse): string {
  const refused = ErrorBody.safeParse(body)
  if (!refused.success) return ''
  const { message, errors } = refused.data.error
  const what = flattenTexts(message).join('; ')
  const details = new Set(
    (Array.isArray(errors) ? errors : [])
      .map(detailText)
      .filter(detail => detail !== '' && detail !== what),
  )
  const why = [...details].join('; ')
  const text = why === '' ? what : what === '' ? why : `${what.replace(/\.$/, '')}: ${why}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function detailText(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null) return flattenTexts(detail).join('; ')
  const { field, message, suggestion } = detail as Record<string, unknown>
  const named = [field, ...flattenTexts(message)]
    .filter(part => typeof part === 'string' && part !== '')
    .join(' ')
  return typeof suggestion === 'string' && suggestion !== ''
    ? `${named} (try ${suggestion})`
    : named
}

function flattenTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  if (Array.isArray(value)) return value.flatMap(flattenTexts)
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(flattenTexts)
    : []
}
