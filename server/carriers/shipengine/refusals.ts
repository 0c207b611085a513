/** Why ShipEngine did not do what it was asked (facts: failure kinds). Pure. */
import * as z from 'zod'
import type { Failure } from '#server/carriers/port.ts'
import { retryAfterMs } from '#server/carriers/wire/http.ts'
import type { Answer } from '#server/carriers/wire/http.ts'
import { saysNoFunds, sentence } from '#server/carriers/wire/words.ts'

/** `asked`: the body of the question, whose values a refusal names; `secrets` stand in no sentence. */
export type Context = { asked?: unknown; secrets: string[]; nowMs: number }

const word = z
  .string()
  .nullish()
  .transform(text => text ?? '')
  .catch('')
const Errors = z.object({
  errors: z
    .array(z.object({ error_type: word, error_code: word, message: word, field_name: word }))
    .min(1),
})
type Problem = { code: string; type: string; field: string; text: string }

/** What is wrong in its own words; empty where it says nothing. */
function problemsIn(body: unknown): Problem[] {
  const found = Errors.safeParse(body).data
  return (found?.errors ?? []).map(one => ({
    code: one.error_code,
    type: one.error_type,
    field: one.field_name,
    text: one.message || `The carrier says: ${one.error_code}`,
  }))
}

const ACCOUNT_STATUS = new Set([401, 402, 403])
const REFUSALS = new Set([400, 404, 409, 422])
const ACCOUNT_CODES = new Set([
  'unauthorized',
  'forbidden',
  'insufficient_funds',
  'subscription_inactive',
  'trial_expired',
  'terms_not_accepted',
  'carrier_disconnected',
  'carrier_not_connected',
  'carrier_not_supported',
  'invalid_billing_plan',
  'meter_failure',
  'verification_failure',
  'funding_source_error',
  'auto_fund_not_supported',
  'funding_source_missing_configuration',
  'funding_source_registration_in_progress',
])
/** The carrier behind did not answer, or ShipEngine itself stumbled: the label may be there. */
const UNCLEAR = /timed? ?out|temporarily|service (is |was )?unavailable/i

/** After a question that bought nothing that we know of. */
export function failureOf({ status, body, headers }: Answer, context: Context): Failure {
  const problems = problemsIn(body)
  const [first] = problems
  const code = first?.code || String(status)
  const message = first ? sentenceOf(problems, context) : `The carrier answered ${status}`
  const fail = (kind: Failure['kind'], text = message): Failure => ({
    ok: false,
    kind,
    code,
    message: text,
  })
  if (status === 429 || (first?.code === 'rate_limit_exceeded' && REFUSALS.has(status))) {
    const wait = retryAfterMs(headers, context.nowMs)
    return {
      ...fail('retryable', 'The carrier is busy'),
      ...(wait !== undefined && { retryAfterMs: wait }),
    }
  }
  if (ACCOUNT_STATUS.has(status)) return fail('account')
  if (REFUSALS.has(status) && first) {
    if (problems.some(isOfAccount)) return fail('account')
    if (problems.some(({ type, text }) => type === 'system' || UNCLEAR.test(text)))
      return fail('unknown')
    return fail('permanent')
  }
  if (status < 300)
    return {
      ok: false,
      kind: 'unknown',
      code: 'NONSENSE',
      message: 'The carrier’s answer made no sense',
    }
  return fail('unknown', `The carrier had an error (${status})`)
}

/** The operator's keys, money or carrier id: no label is to blame. */
const isOfAccount = ({ code, type, field, text }: Problem): boolean =>
  saysNoFunds(text)
  || type === 'account_status'
  || type === 'security'
  || ACCOUNT_CODES.has(code)
  || /(^|\.)carrier_id$/.test(field)

const sentenceOf = (problems: Problem[], { asked, secrets }: Context): string =>
  sentence(
    problems
      .map(({ text, field }) => {
        const value = valueAt(asked, field)
        return value === '' || text.includes(value)
          ? text
          : `${text} (${field.replace(/^shipment\./, '')}: ${value})`
      })
      .join('. '),
    secrets,
  )

/** What stood in the question under a name such as 'shipment.ship_to.postal_code'; empty where nothing plain did. */
function valueAt(asked: unknown, path: string): string {
  let at: unknown = asked
  for (const name of path.split(/[.[\]]+/))
    at = at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[name] : undefined
  return typeof at === 'string' || typeof at === 'number' ? String(at) : ''
}

/** It has a shipment under this name already: names are unique there. */
export const isNameTaken = ({ status, body }: Answer): boolean =>
  REFUSALS.has(status)
  && problemsIn(body).some(
    ({ code, field, text }) =>
      code === 'identifier_conflict'
      || (/external_shipment_id/.test(`${field} ${text}`)
        && /exist|duplicate|unique|in use|taken/i.test(text)),
  )

/** It says in its own words that it has nothing under this name; a page of somebody in between does not. */
export const isNotThere = ({ status, body }: Answer): boolean =>
  status === 404 && problemsIn(body).length > 0
