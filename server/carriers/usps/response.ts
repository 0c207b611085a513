/** What the USPS Labels API answers, in our words (contracts: usps). Fields that we do not need may be anything. */
import { z } from 'zod'
import { cents, sum } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type {
  CarrierFailure,
  PurchaseLookupResult,
  LabelFileResult,
  PurchaseResult,
  Purchase,
} from '#server/carriers/port.ts'
import { retryAfterMs } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { parseCentsUp, detectLabel, sanitizeMessage } from '#server/carriers/wire/parsing.ts'

/** `asked`: the body of the question, whose values a refusal names; `secrets` stand in no sentence. */
export type ResponseContext = { requestBody?: unknown; secrets: string[]; nowMs: number }

const AmountField = z.union([z.number(), z.string()]).transform((value, told) => {
  const found = parseCentsUp(value)
  if (found !== null) return found
  told.issues.push({ code: 'custom', message: 'not an amount', input: value })
  return z.NEVER
})
const Extras = z.array(z.object({ price: AmountField.nullish() })).nullish()

/** Postage is the bare price; services and fees come on top of it. Only number and file are promised: a label without a price is sold. */
const LabelBody = z.object({
  trackingNumber: z.string().trim().min(1),
  postage: AmountField.nullish(),
  fees: z.unknown().optional(),
  extraServices: z.unknown().optional(),
  labelImage: z.string().nullish(),
})

/** The label in an answer to a purchase or to a reprint, or null where there is none. A reprint has its figures in a part of their own. */
export function parseLabel({ status, body }: CarrierResponse): Purchase | null {
  if (status < 200 || status > 299) return null
  const whole = body as { labelMetadata?: object } | undefined
  const found = LabelBody.safeParse(
    whole?.labelMetadata ? { ...whole, ...whole.labelMetadata } : whole,
  )
  if (!found.success) return null
  const { trackingNumber, postage, fees, extraServices, labelImage } = found.data
  // What stands in them is not promised either: where it is not understood, nobody knows what the label cost.
  const extras = [fees, extraServices].map(one => Extras.safeParse(one))
  const isPriced = typeof postage === 'number' && extras.every(one => one.success)
  const extra: Cents[] = extras.flatMap(one => one.data ?? []).map(({ price }) => price ?? cents(0))
  const label = detectLabel(Buffer.from(labelImage ?? '', 'base64'))
  const costCents = isPriced ? sum([postage, ...extra]) : null
  return { trackingNumber, costCents, ...(label && { label }) }
}

/** After the question to buy. */
export function parsePurchaseResult(
  answer: CarrierResponse,
  context: ResponseContext,
): PurchaseResult {
  const purchase = parseLabel(answer)
  if (purchase) return { ok: true, purchase }
  const failure = failureFrom(answer, context)
  return failure.kind === 'permanent' && IDEMPOTENCY_KEY_MESSAGE.test(carrierMessage(answer))
    ? { ...failure, kind: 'unknown' }
    : failure
}

const NO_FUNDS_MESSAGE =
  /insufficient (funds|balance)|not enough (funds|money)|account (number )?(is )?(not active|inactive|closed|suspended)/i
const PERMANENT_STATUSES = new Set([400, 404, 422])
/** A key that was used, or is in use at this moment: a label may have been sold under it. */
const IDEMPOTENCY_KEY_MESSAGE = /idempotency/i
const ACCOUNT_STATUSES = new Set([401, 402, 403])
const TOKEN_EXPIRED_MESSAGE = /token\b.{0,40}\b(expired|invalid|not valid)|expired.{0,20}\btoken/i

/** Without the values that were asked about: what a customer writes into an address must not pass for a word of the carrier. */
const carrierMessage = (answer: CarrierResponse): string =>
  parseProblem(answer, { secrets: [], nowMs: 0 })?.text ?? ''

/** The permissions do not do, or no longer. */
export const isUnauthorized = (answer: CarrierResponse): boolean =>
  ACCOUNT_STATUSES.has(answer.status)
  || (answer.status === 400 && TOKEN_EXPIRED_MESSAGE.test(carrierMessage(answer)))

/** Why nothing came of a question (facts: failure kinds). */
export function failureFrom(answer: CarrierResponse, context: ResponseContext): CarrierFailure {
  const { status, headers } = answer
  const problem = parseProblem(answer, context)
  const code = problem?.code ?? String(status)
  const message = problem?.text ?? `The carrier answered ${status}`
  if (isUnauthorized(answer) || NO_FUNDS_MESSAGE.test(carrierMessage(answer)))
    return { ok: false, kind: 'account', code, message }
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
  if (status < 300)
    return {
      ok: false,
      kind: 'unknown',
      code: 'NONSENSE',
      message: 'The carrier’s answer made no sense',
    }
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

/** What the carrier says is wrong, which value it was, and what one may put there; null where it says nothing. */
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

/** What stood in the question under a name such as 'toAddress.ZIPCode'; empty where nothing plain did. */
function requestValueAt(asked: unknown, path: string): string {
  let at: unknown = asked
  for (const name of path.split('.'))
    at = at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[name] : undefined
  return typeof at === 'string' || typeof at === 'number' ? String(at) : ''
}

const NOT_FOUND_MESSAGE = /not found|does not exist|no (label|order) /i

/** The carrier says in its own words that it has no such label; a page of somebody in between does not. */
export function isUnknownLabel(answer: CarrierResponse, context: ResponseContext): boolean {
  const problem = parseProblem(answer, context)
  return (
    problem !== null
    && (answer.status === 404 || (answer.status === 400 && NOT_FOUND_MESSAGE.test(problem.text)))
  )
}

/** After the question for a reprint. A label that cannot be printed again was sold all the same: only one answer proves that none was. */
export function parseLookup(
  answer: CarrierResponse,
  context: ResponseContext,
): PurchaseLookupResult {
  const purchase = parseLabel(answer)
  if (purchase) return { found: 'purchased', purchase }
  return { found: isUnknownLabel(answer, context) ? 'not_purchased' : 'unknown' }
}

/** The file in the answer to a reprint. */
export function parseLabelFile(answer: CarrierResponse, context: ResponseContext): LabelFileResult {
  const label = parseLabel(answer)?.label
  if (label) return { kind: 'label', label }
  const { kind, code, message, retryAfterMs: wait } = failureFrom(answer, context)
  // Labels are printed three times again and until their mailing day, and not when they are cancelled.
  if (kind === 'permanent') return { kind: 'gone', code, message }
  return { kind: 'not_yet', code, message, ...(wait !== undefined && { retryAfterMs: wait }) }
}

const CancelBody = z.object({ status: z.string() })

/**
 * After the question to cancel a label. `disputed`: its data were with the postal system already, so that a refund was asked for;
 * `missing`: there is no such label, or none any more.
 */
export type CancelResult =
  | { kind: 'cancelled' }
  | { kind: 'disputed' }
  | { kind: 'missing' | 'failed'; failure: CarrierFailure }

export function parseCancelResult(answer: CarrierResponse, context: ResponseContext): CancelResult {
  if (answer.status >= 200 && answer.status < 300) {
    const found = CancelBody.safeParse(answer.body)
    if (found.success && /^cancel+ed$/i.test(found.data.status)) return { kind: 'cancelled' }
    if (found.success && /^disputed$/i.test(found.data.status)) return { kind: 'disputed' }
    return { kind: 'failed', failure: failureFrom(answer, context) }
  }
  const failure = failureFrom(answer, context)
  if (failure.kind === 'permanent' && /already (been )?submitted/i.test(failure.message))
    return { kind: 'disputed' }
  if (failure.kind === 'permanent' && /already (been )?cancel/i.test(failure.message))
    return { kind: 'cancelled' }
  return { kind: isUnknownLabel(answer, context) ? 'missing' : 'failed', failure }
}
