/** Maps ShipEngine's errors. Pure. */
import * as z from 'zod'
import type { CarrierFailure } from '#server/carriers/port.ts'
import { INVALID_RESPONSE } from '#server/carriers/wire/failures.ts'
import { retryAfterMs } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { requestValueAt, saysNoFunds, sanitizeMessage } from '#server/carriers/wire/parsing.ts'

/** `requestBody`: its values are named in refusals of a label; `secrets` are redacted from messages. */
export type ResponseContext = { requestBody?: unknown; secrets: string[]; nowMs: number }

const optionalText = z
  .string()
  .nullish()
  .transform(text => text ?? '')
  .catch('')
const ErrorBody = z.object({
  errors: z
    .array(
      z.object({
        error_type: optionalText,
        error_code: optionalText,
        message: optionalText,
        field_name: optionalText,
      }),
    )
    .min(1),
})
type Problem = { code: string; type: string; field: string; text: string }

function parseProblems(body: unknown): Problem[] {
  const found = ErrorBody.safeParse(body).data
  return (found?.errors ?? []).map(one => ({
    code: one.error_code,
    type: one.error_type,
    field: one.field_name,
    text: one.message || `The carrier says: ${one.error_code}`,
  }))
}

const ACCOUNT_STATUS = new Set([401, 402, 403])
const PERMANENT_STATUSES = new Set([400, 404, 409, 422])
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
/** The carrier behind ShipEngine did not answer, or ShipEngine failed: the label may exist. */
const UNCLEAR_MESSAGE = /timed? ?out|temporarily|service (is |was )?unavailable/i

/** After a call that bought nothing as far as we know. */
export function failureFrom(
  { status, body, headers }: CarrierResponse,
  context: ResponseContext,
): CarrierFailure {
  const problems = parseProblems(body)
  const [first] = problems
  const code = first?.code || String(status)
  const message = first ? problemMessage(problems, context) : `The carrier answered ${status}`
  const fail = (kind: CarrierFailure['kind'], text = message): CarrierFailure => ({
    ok: false,
    kind,
    code,
    message: text,
  })
  if (status === 429 || (first?.code === 'rate_limit_exceeded' && PERMANENT_STATUSES.has(status))) {
    const wait = retryAfterMs(headers, context.nowMs)
    return {
      ...fail('retryable', 'The carrier is busy'),
      ...(wait !== undefined && { retryAfterMs: wait }),
    }
  }
  // Without values of a label: it is logged.
  const accountMessage = first
    ? problemMessage(problems, { ...context, requestBody: undefined })
    : message
  if (ACCOUNT_STATUS.has(status))
    return { ...fail('account', accountMessage), ...(!first && { isUncertain: true as const }) }
  if (PERMANENT_STATUSES.has(status) && first) {
    if (problems.some(isAccountProblem)) return fail('account', accountMessage)
    if (problems.some(({ type, text }) => type === 'system' || UNCLEAR_MESSAGE.test(text)))
      return fail('unknown')
    return fail('permanent')
  }
  if (status < 300) return INVALID_RESPONSE
  return fail('unknown', `The carrier had an error (${status})`)
}

/** Key, balance or carrier id of the operator. */
const isAccountProblem = ({ code, type, field, text }: Problem): boolean =>
  saysNoFunds(text)
  || type === 'account_status'
  || type === 'security'
  || ACCOUNT_CODES.has(code)
  || /(^|\.)carrier_id$/.test(field)

const problemMessage = (problems: Problem[], { requestBody, secrets }: ResponseContext): string =>
  sanitizeMessage(
    problems
      .map(({ text, field }) => {
        const value = requestValueAt(requestBody, field)
        return value === '' || text.includes(value)
          ? text
          : `${text} (${field.replace(/^shipment\./, '')}: ${value})`
      })
      .join('. '),
    secrets,
  )

/** External shipment ids are unique. */
export const isNameTaken = ({ status, body }: CarrierResponse): boolean =>
  PERMANENT_STATUSES.has(status)
  && parseProblems(body).some(
    ({ code, field, text }) =>
      code === 'identifier_conflict'
      || (/external_shipment_id/.test(`${field} ${text}`)
        && /exist|duplicate|unique|in use|taken/i.test(text)),
  )

/** ShipEngine itself says so; a proxy's error page does not count. */
export const isNotFound = ({ status, body }: CarrierResponse): boolean =>
  status === 404 && parseProblems(body).length > 0
