/** Parses responses of the USPS Labels API. Fields that are not needed may have any value. */
import { z } from 'zod'
import { cents, sum } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { isOfFormat } from '#server/carriers/port.ts'
import type {
  CarrierFailure,
  CarrierLabelFormat,
  PurchaseLookupResult,
  LabelFileResult,
  PurchaseResult,
  QuoteResult,
  Purchase,
} from '#server/carriers/port.ts'
import { INVALID_RESPONSE, labelFileNotYet } from '#server/carriers/wire/failures.ts'
import { retryAfterMs } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import {
  detectLabel,
  parseCentsUp,
  requestValueAt,
  sanitizeMessage,
} from '#server/carriers/wire/parsing.ts'

/** `requestBody`: its values are named in refusals of a label; `secrets` are redacted from messages. */
export type ResponseContext = { requestBody?: unknown; secrets: string[]; nowMs: number }

const AmountField = z.union([z.number(), z.string()]).transform((value, told) => {
  const found = parseCentsUp(value)
  if (found !== null) return found
  told.issues.push({ code: 'custom', message: 'not an amount', input: value })
  return z.NEVER
})
const Extras = z.array(z.object({ price: AmountField.nullish() })).nullish()

/**
 * Postage excludes fees and extra services. Only number and file are guaranteed: a label without a
 * price is sold.
 */
const LabelBody = z.object({
  trackingNumber: z.string().trim().min(1),
  postage: AmountField.nullish(),
  fees: z.unknown().optional(),
  extraServices: z.unknown().optional(),
  labelImage: z.string().nullish(),
})

/** Null without a label. A reprint has its figures in a separate part. */
export function parseLabel({ status, body }: CarrierResponse): Purchase | null {
  if (status < 200 || status > 299) return null
  const whole = body as { labelMetadata?: object } | undefined
  const found = LabelBody.safeParse(
    whole?.labelMetadata ? { ...whole, ...whole.labelMetadata } : whole,
  )
  if (!found.success) return null
  const { trackingNumber, postage, fees, extraServices, labelImage } = found.data
  // If fees cannot be parsed, the cost is unknown.
  const extras = [fees, extraServices].map(one => Extras.safeParse(one))
  const isPriced = typeof postage === 'number' && extras.every(one => one.success)
  const extra: Cents[] = extras.flatMap(one => one.data ?? []).map(({ price }) => price ?? cents(0))
  const label = detectLabel(Buffer.from(labelImage ?? '', 'base64'))
  const costCents = isPriced ? sum([postage, ...extra]) : null
  return { trackingNumber, costCents, ...(label && { label }) }
}

export function parsePurchaseResult(
  response: CarrierResponse,
  context: ResponseContext,
): PurchaseResult {
  const purchase = parseLabel(response)
  if (purchase) return { ok: true, purchase }
  const failure = failureFrom(response, context)
  return failure.kind === 'permanent' && IDEMPOTENCY_KEY_MESSAGE.test(carrierMessage(response))
    ? { ...failure, kind: 'unknown' }
    : failure
}

const QuoteBody = z.object({ totalBasePrice: AmountField })

export function parseQuote(response: CarrierResponse, context: ResponseContext): QuoteResult {
  const { status, body } = response
  const found = status >= 200 && status <= 299 ? QuoteBody.safeParse(body).data : undefined
  return found ? { ok: true, costCents: found.totalBasePrice } : failureFrom(response, context)
}

const NO_FUNDS_MESSAGE =
  /insufficient (funds|balance)|not enough (funds|money)|account (number )?(is )?(not active|inactive|closed|suspended)/i
const PERMANENT_STATUSES = new Set([400, 404, 422])
/** The key was or is in use: a label may have been sold under it. */
const IDEMPOTENCY_KEY_MESSAGE = /idempotency/i
const ACCOUNT_STATUSES = new Set([401, 402, 403])
const TOKEN_EXPIRED_MESSAGE = /token\b.{0,40}\b(expired|invalid|not valid)|expired.{0,20}\btoken/i

/** Removes request values: a customer's address text must not pass for the carrier's message. */
const carrierMessage = (response: CarrierResponse): string =>
  parseProblem(response, { secrets: [], nowMs: 0 })?.text ?? ''

/** The tokens were rejected. */
export const isUnauthorized = (response: CarrierResponse): boolean =>
  ACCOUNT_STATUSES.has(response.status)
  || (response.status === 400 && TOKEN_EXPIRED_MESSAGE.test(carrierMessage(response)))

export function failureFrom(response: CarrierResponse, context: ResponseContext): CarrierFailure {
  const { status, headers } = response
  const problem = parseProblem(response, context)
  const code = problem?.code ?? String(status)
  const message = problem?.text ?? `The carrier answered ${status}`
  if (isUnauthorized(response) || NO_FUNDS_MESSAGE.test(carrierMessage(response)))
    return {
      ok: false,
      kind: 'account',
      code,
      // Without values of a label: it is logged.
      message: parseProblem(response, { ...context, requestBody: undefined })?.text ?? message,
      ...(!problem && { isUncertain: true as const }),
    }
  if (PERMANENT_STATUSES.has(status) && problem)
    return { ok: false, kind: 'permanent', code, message }
  if (status === 429) {
    const wait = retryAfterMs(headers, context.nowMs)
    return {
      ok: false,
      kind: 'retryable',
      code,
      message: 'The carrier is busy',
      ...(wait !== undefined && { retryAfterMs: wait }),
    }
  }
  if (status < 300) return INVALID_RESPONSE
  return { ok: false, kind: 'unknown', code, message: `The carrier had an error (${status})` }
}

const optionalText = z
  .union([z.string(), z.number()])
  .nullish()
  .transform(value => (value === null || value === undefined ? '' : String(value)))
const ErrorBody = z.object({
  error: z.object({
    code: optionalText,
    message: optionalText,
    errors: z
      .array(
        z.object({
          code: optionalText,
          title: optionalText,
          detail: optionalText,
          source: z
            .object({ parameter: optionalText, example: optionalText })
            .nullish()
            .catch(null),
        }),
      )
      .nullish()
      .catch(null),
  }),
})

/** The carrier's message with the wrong value and the accepted ones; null without a message. */
export function parseProblem(
  { status, body }: CarrierResponse,
  { requestBody, secrets }: ResponseContext,
): { code: string; text: string } | null {
  const found = ErrorBody.safeParse(body)
  if (!found.success) return null
  const { error } = found.data
  const said = (error.errors ?? []).map(({ title, detail, source }) => {
    const value = source ? requestValueAt(requestBody, source.parameter) : ''
    return [
      detail || title || error.message,
      value && ` (${source!.parameter}: ${value})`,
      source?.example && `; for example ${source.example}`,
    ].join('')
  })
  const code = error.errors?.find(one => one.code)?.code || error.code || String(status)
  return {
    code,
    text: sanitizeMessage(
      said.join('. ') || error.message || `The carrier answered ${status}`,
      secrets,
    ),
  }
}

const NOT_FOUND_MESSAGE = /not found|does not exist|no (label|order) /i

/** USPS itself says so; a proxy's error page does not count. */
function isUnknownLabel(response: CarrierResponse, context: ResponseContext): boolean {
  const problem = parseProblem(response, context)
  return (
    problem !== null
    && (response.status === 404
      || (response.status === 400 && NOT_FOUND_MESSAGE.test(problem.text)))
  )
}

/**
 * After a reprint. A label that cannot be reprinted was sold; only one response proves that none
 * was.
 */
export function parseLookup(
  response: CarrierResponse,
  context: ResponseContext,
): PurchaseLookupResult {
  const purchase = parseLabel(response)
  if (purchase) return { found: 'purchased', purchase }
  return { found: isUnknownLabel(response, context) ? 'not_purchased' : 'unknown' }
}

export function parseLabelFile(
  response: CarrierResponse,
  format: CarrierLabelFormat,
  context: ResponseContext,
): LabelFileResult {
  const label = parseLabel(response)?.label
  if (label && isOfFormat(label, format)) return { kind: 'label', label }
  const failure = failureFrom(response, context)
  // Labels are reprinted three times, until their mailing day, and not when cancelled.
  if (failure.kind === 'permanent')
    return { kind: 'gone', code: failure.code, message: failure.message }
  return labelFileNotYet(failure)
}

const CancelBody = z.object({ status: z.string() })

/**
 * `disputed`: already in the postal system, so a refund was requested; `missing`: no such label, or
 * no longer.
 */
export type CancelResult =
  | { kind: 'cancelled' }
  | { kind: 'disputed' }
  | { kind: 'missing' | 'failed'; failure: CarrierFailure }

export function parseCancelResult(
  response: CarrierResponse,
  context: ResponseContext,
): CancelResult {
  if (response.status >= 200 && response.status < 300) {
    const found = CancelBody.safeParse(response.body)
    if (found.success && /^cancel+ed$/i.test(found.data.status)) return { kind: 'cancelled' }
    if (found.success && /^disputed$/i.test(found.data.status)) return { kind: 'disputed' }
    return { kind: 'failed', failure: failureFrom(response, context) }
  }
  const failure = failureFrom(response, context)
  if (failure.kind === 'permanent' && /already (been )?submitted/i.test(failure.message))
    return { kind: 'disputed' }
  if (failure.kind === 'permanent' && /already (been )?cancel/i.test(failure.message))
    return { kind: 'cancelled' }
  return { kind: isUnknownLabel(response, context) ? 'missing' : 'failed', failure }
}

/** `valid`: reprinted, so not cancelled. */
export type ReprintProof = 'valid' | 'cancelled' | 'unclear'

/** USPS: 'Canceled labels are not eligible for reprint'. */
const CANCELLED_LABEL_MESSAGE =
  /^cancel+ed labels\b|\b(label|order) (is|was|has been) (already )?cancel+ed\b/i

/** What a reprint tells about a label that may have been cancelled. Other words prove nothing. */
export function parseReprintProof(
  response: CarrierResponse,
  trackingNumber: string,
  context: ResponseContext,
): ReprintProof {
  const label = parseLabel(response)
  if (label) return label.trackingNumber === trackingNumber ? 'valid' : 'unclear'
  const { kind, message } = failureFrom(response, context)
  return kind === 'permanent' && CANCELLED_LABEL_MESSAGE.test(message) ? 'cancelled' : 'unclear'
}
