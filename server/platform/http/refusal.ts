import type { RefusalReason, SeenFile, SeenRow } from '#contract/endpoint.ts'

/**
 * Why a request is refused; error-handler.ts maps codes to HTTP statuses. Any other error is a
 * fault of the program: status 500.
 */
export type RefusalCode =
  | 'bad_request'
  | 'unauthorized'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'unprocessable'
  | 'too_many'
  | 'unavailable'

/**
 * For programs: what the caller can do about it. `methods`: how a proof can be given. `seen`: what
 * was bought before.
 */
export type RefusalAction = {
  reason: RefusalReason
  methods?: readonly string[]
  seen?: { file: SeenFile | null; rowCount: number; rows: SeenRow[] }
}

/** Its message is shown to the user. */
export class Refusal extends Error {
  readonly code: RefusalCode
  /** Field name to text, for forms and bulk rows ('17.ToZipPostal'). */
  readonly fields: Record<string, string> | undefined
  /** Seconds. */
  readonly retryAfter: number | undefined
  readonly action: RefusalAction | undefined

  constructor(
    code: RefusalCode,
    text: string,
    fields?: Record<string, string>,
    retryAfter?: number,
    action?: RefusalAction,
  ) {
    super(text)
    this.name = 'Refusal'
    this.code = code
    this.fields = fields
    this.retryAfter = retryAfter
    this.action = action
  }
}

/** Refusal of a form. The message is the first field's text. */
export function refuseFields(fields: Record<string, string>): Refusal {
  return new Refusal('unprocessable', Object.values(fields)[0] ?? 'Submission failed', fields)
}

/** Most wrong fields named in one response: a wrong kind of file would make every field wrong. */
const MAX_FIELDS = 100

/**
 * The first wrong fields, and the end of a sentence about the others. `isCut`: validation stopped
 * early, so there may be still more.
 */
export function firstWrongFields(
  wrong: readonly [field: string, text: string][],
  isCut = false,
): { fields: Record<string, string>; more: string } {
  return {
    fields: Object.fromEntries(wrong.slice(0, MAX_FIELDS)),
    more: unlistedFieldsText(wrong.length - MAX_FIELDS, isCut),
  }
}

/** ' (3 more fields are wrong and not listed)'; empty when `count` is not positive. */
export const unlistedFieldsText = (count: number, isCut = false): string =>
  count > 0
    ? ` (${isCut ? 'at least ' : ''}${count.toLocaleString('en-US')} more fields are wrong and not listed)`
    : ''
