/**
 * Refusals in EasyPost's shape. Its clients choose the class of an error by the status, and programs
 * act on the code. Pure.
 */
import type { EasypostError, VerificationError } from '#contract/easypost-objects.ts'
import { isEasypostPath } from '#contract/easypost.ts'
import { FIELD_FAULTS } from '#contract/faults.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import type { ErrorShape } from '#server/platform/http/error-handler.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { easypostField } from './rules.ts'

/** EasyPost's codes, where it has one. Others are ours in capitals ('INSUFFICIENT_BALANCE'). */
const CODES: Partial<Record<RefusalCode, string>> = {
  required: 'PARAMETER.REQUIRED',
  request_invalid: 'PARAMETER.INVALID',
  postage_exists: 'SHIPMENT.POSTAGE.EXISTS',
  postage_timed_out: 'SHIPMENT.POSTAGE.TIMED_OUT',
  label_refused: 'SHIPMENT.POSTAGE.FAILURE',
  price_changed: 'SHIPMENT.RATE.CHANGED',
  rate_unknown: 'SHIPMENT.RATE.UNKNOWN',
  option_not_offered: 'OPTION_NOT_OFFERED',
  void_refused: 'SHIPMENT.REFUND.UNAVAILABLE',
  scan_form_refused: 'SCAN_FORM.INVALID',
  address_not_verified: 'ADDRESS.VERIFY.FAILURE',
  sign_in_required: 'UNAUTHORIZED',
  key_not_valid: 'UNAUTHORIZED',
}

/** Told with EasyPost's codes of what is wrong with the address. */
export class UnverifiedAddress extends Refusal {
  readonly problems: readonly VerificationError[]

  constructor(problems: readonly VerificationError[]) {
    const texts = problems.map(({ message }) => `${message}.`)
    super('address_not_verified', ['Unable to verify address.', ...texts].join(' '))
    this.problems = problems
  }
}

/** These statuses have one code, which programs test for. */
const CODES_OF_STATUS: Record<number, string> = {
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  429: 'RATE_LIMITED',
}

function codeOf({ status, code }: Refusal): string {
  const named = CODES[code]
  if (named !== undefined) return named
  if (code in FIELD_FAULTS) return 'PARAMETER.INVALID'
  return CODES_OF_STATUS[status] ?? code.toUpperCase()
}

export const easypostErrorShape: ErrorShape = (path, refusal) =>
  isEasypostPath(path) ? toEasypostError(path, refusal) : null

/** The sentence, with the field's name where it could be of either address. */
export function sentenceOf({ message, fields }: Refusal): string {
  const [field = ''] = Object.keys(fields ?? {}).map(easypostField)
  return /^(?:to|from)_address\./.test(field) ? `${field}: ${message}` : message
}

function toEasypostError(path: string, refusal: Refusal): EasypostError {
  return {
    error: {
      code: codeOf(refusal),
      message:
        refusal.code === 'path_unknown'
          ? notOfferedText(path, refusal.message)
          : sentenceOf(refusal),
      errors:
        refusal instanceof UnverifiedAddress
          ? [...refusal.problems]
          : Object.entries(refusal.fields ?? {}).map(([field, { code, text }]) => ({
              code: code.toUpperCase(),
              field: easypostField(field),
              message: text,
              suggestion: null,
            })),
    },
  }
}

/** What EasyPost has and this site does not, by the first part of the path. */
const NOT_OFFERED: Record<string, string> = {
  api_keys: 'Keys are made on the Account page, so api_keys',
  brand: 'A brand of its own',
  carrier_accounts: 'A carrier account of your own',
  carriers: 'A carrier account of your own',
  claims: 'Insurance, and so its claims,',
  customs_infos: 'Customs information (labels are sold within the United States)',
  customs_items: 'Customs information (labels are sold within the United States)',
  end_shippers: 'An end shipper',
  insurances: 'Insurance',
  luma: 'Luma',
  metadata: 'Carrier metadata',
  orders: 'An order of several shipments (use batches)',
  pickups: 'A pickup',
  reports: 'A report (download the statement from the Wallet page)',
  smartrate: 'SmartRate',
  users: 'A child user',
}

/** For a call below /v2 or /beta that does not exist. */
function notOfferedText(path: string, message: string): string {
  const [, version, first = ''] = path.split('/')
  const what =
    version === 'beta' ? 'A beta call' : Object.hasOwn(NOT_OFFERED, first) && NOT_OFFERED[first]
  const subject = what ? `${what} is not offered` : message
  return `${subject}. The page /docs/api#v2 says what /v2 offers.`
}
