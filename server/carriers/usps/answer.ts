/** What the USPS Labels API answers, in our words (contracts: usps). Fields that we do not need may be anything. */
import { z } from 'zod'
import { cents, sum } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import type { Failure, Found, LabelAnswer, Outcome, Purchase } from '#server/carriers/port.ts'
import { retryAfterMs } from '#server/carriers/wire/http.ts'
import type { Answer } from '#server/carriers/wire/http.ts'
import { centsUp, labelOf, sentence } from '#server/carriers/wire/words.ts'

/** `asked`: the body of the question, whose values a refusal names; `secrets` stand in no sentence. */
export type Context = { asked?: unknown; secrets: string[]; nowMs: number }

const amount = z.union([z.number(), z.string()]).transform((value, told) => {
  const found = centsUp(value)
  if (found !== null) return found
  told.issues.push({ code: 'custom', message: 'not an amount', input: value })
  return z.NEVER
})
const Extras = z.array(z.object({ price: amount.nullish() })).nullish()

/** Postage is the bare price; services and fees come on top of it. Only number and file are promised: a label without a price is sold. */
const Sold = z.object({
  trackingNumber: z.string().trim().min(1),
  postage: amount.nullish(),
  fees: z.unknown().optional(),
  extraServices: z.unknown().optional(),
  labelImage: z.string().nullish(),
})

/** The label in an answer to a purchase or to a reprint, or null where there is none. A reprint has its figures in a part of their own. */
export function soldIn({ status, body }: Answer): Purchase | null {
  if (status < 200 || status > 299) return null
  const whole = body as { labelMetadata?: object } | undefined
  const found = Sold.safeParse(whole?.labelMetadata ? { ...whole, ...whole.labelMetadata } : whole)
  if (!found.success) return null
  const { trackingNumber, postage, fees, extraServices, labelImage } = found.data
  // What stands in them is not promised either: where it is not understood, nobody knows what the label cost.
  const extras = [fees, extraServices].map(one => Extras.safeParse(one))
  const isPriced = typeof postage === 'number' && extras.every(one => one.success)
  const extra: Cents[] = extras.flatMap(one => one.data ?? []).map(({ price }) => price ?? cents(0))
  const label = labelOf(Buffer.from(labelImage ?? '', 'base64'))
  const costCents = isPriced ? sum([postage, ...extra]) : null
  return { trackingNumber, costCents, ...(label && { label }) }
}

/** After the question to buy. */
export function outcomeOf(answer: Answer, context: Context): Outcome {
  const purchase = soldIn(answer)
  if (purchase) return { ok: true, purchase }
  const failure = failureOf(answer, context)
  return failure.kind === 'permanent' && OF_THE_KEY.test(ownWords(answer))
    ? { ...failure, kind: 'unknown' }
    : failure
}

const NO_FUNDS =
  /insufficient (funds|balance)|not enough (funds|money)|account (number )?(is )?(not active|inactive|closed|suspended)/i
const REFUSALS = new Set([400, 404, 422])
/** A key that was used, or is in use at this moment: a label may have been sold under it. */
const OF_THE_KEY = /idempotency/i
const ACCOUNT = new Set([401, 402, 403])
const TOKEN_ENDED = /token\b.{0,40}\b(expired|invalid|not valid)|expired.{0,20}\btoken/i

/** Without the values that were asked about: what a customer writes into an address must not pass for a word of the carrier. */
const ownWords = (answer: Answer): string =>
  problemIn(answer, { secrets: [], nowMs: 0 })?.text ?? ''

/** The permissions do not do, or no longer. */
export const isLockedOut = (answer: Answer): boolean =>
  ACCOUNT.has(answer.status) || (answer.status === 400 && TOKEN_ENDED.test(ownWords(answer)))

/** Why nothing came of a question (facts: failure kinds). */
export function failureOf(answer: Answer, context: Context): Failure {
  const { status, headers } = answer
  const problem = problemIn(answer, context)
  const code = problem?.code ?? String(status)
  const message = problem?.text ?? `The carrier answered ${status}`
  if (isLockedOut(answer) || NO_FUNDS.test(ownWords(answer)))
    return { ok: false, kind: 'account', code, message }
  if (REFUSALS.has(status) && problem) return { ok: false, kind: 'permanent', code, message }
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

const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform(value => (value === null || value === undefined ? '' : String(value)))
const Problem = z.object({
  error: z.object({
    code: text,
    message: text,
    errors: z
      .array(
        z.object({
          code: text,
          title: text,
          detail: text,
          source: z.object({ parameter: text, example: text }).nullish().catch(null),
        }),
      )
      .nullish()
      .catch(null),
  }),
})

/** What the carrier says is wrong, which value it was, and what one may put there; null where it says nothing. */
export function problemIn(
  { status, body }: Answer,
  { asked, secrets }: Context,
): { code: string; text: string } | null {
  const found = Problem.safeParse(body)
  if (!found.success) return null
  const { error } = found.data
  const said = (error.errors ?? []).map(({ title, detail, source }) => {
    const value = source ? valueAt(asked, source.parameter) : ''
    return [
      detail || title || error.message,
      value && ` (${source!.parameter}: ${value})`,
      source?.example && `; for example ${source.example}`,
    ].join('')
  })
  const code = error.errors?.find(one => one.code)?.code || error.code || String(status)
  return {
    code,
    text: sentence(said.join('. ') || error.message || `The carrier answered ${status}`, secrets),
  }
}

/** What stood in the question under a name such as 'toAddress.ZIPCode'; empty where nothing plain did. */
function valueAt(asked: unknown, path: string): string {
  let at: unknown = asked
  for (const name of path.split('.'))
    at = at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[name] : undefined
  return typeof at === 'string' || typeof at === 'number' ? String(at) : ''
}

const NOT_FOUND = /not found|does not exist|no (label|order) /i

/** The carrier says in its own words that it has no such label; a page of somebody in between does not. */
export function isUnknownLabel(answer: Answer, context: Context): boolean {
  const problem = problemIn(answer, context)
  return (
    problem !== null
    && (answer.status === 404 || (answer.status === 400 && NOT_FOUND.test(problem.text)))
  )
}

/** After the question for a reprint. A label that cannot be printed again was sold all the same: only one answer proves that none was. */
export function foundIn(answer: Answer, context: Context): Found {
  const purchase = soldIn(answer)
  if (purchase) return { found: 'purchased', purchase }
  return { found: isUnknownLabel(answer, context) ? 'not_purchased' : 'unknown' }
}

/** The file in the answer to a reprint. */
export function fileIn(answer: Answer, context: Context): LabelAnswer {
  const label = soldIn(answer)?.label
  if (label) return { kind: 'label', label }
  const { kind, code, message, retryAfterMs: wait } = failureOf(answer, context)
  // Labels are printed three times again and until their mailing day, and not when they are cancelled.
  if (kind === 'permanent') return { kind: 'gone', code, message }
  return { kind: 'not_yet', code, message, ...(wait !== undefined && { retryAfterMs: wait }) }
}

const Cancelled = z.object({ status: z.string() })

/**
 * After the question to cancel a label. `disputed`: its data were with the postal system already, so that a refund was asked for;
 * `missing`: there is no such label, or none any more.
 */
export type Cancelling =
  | { kind: 'cancelled' }
  | { kind: 'disputed' }
  | { kind: 'missing' | 'failed'; failure: Failure }

export function cancellingOf(answer: Answer, context: Context): Cancelling {
  if (answer.status >= 200 && answer.status < 300) {
    const found = Cancelled.safeParse(answer.body)
    if (found.success && /^cancel+ed$/i.test(found.data.status)) return { kind: 'cancelled' }
    if (found.success && /^disputed$/i.test(found.data.status)) return { kind: 'disputed' }
    return { kind: 'failed', failure: failureOf(answer, context) }
  }
  const failure = failureOf(answer, context)
  if (failure.kind === 'permanent' && /already (been )?submitted/i.test(failure.message))
    return { kind: 'disputed' }
  if (failure.kind === 'permanent' && /already (been )?cancel/i.test(failure.message))
    return { kind: 'cancelled' }
  return { kind: isUnknownLabel(answer, context) ? 'missing' : 'failed', failure }
}
