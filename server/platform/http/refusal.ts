/**
 * What a person may do wrong or be denied. Thrown by rules and services with a sentence for the reader; `http.ts` turns the code
 * into a status in one table. Everything else that is thrown is our own fault and answered with 500.
 */
export type RefusalCode =
  | 'bad_request'
  | 'unauthorized'
  | 'insufficient_balance'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'unprocessable'
  | 'too_many'
  | 'unavailable'

export class Refusal extends Error {
  readonly code: RefusalCode
  /** Field name to text, for forms and bulk rows ('17.ToZipPostal'). */
  readonly fields: Record<string, string> | undefined
  /** Seconds after which trying again makes sense. */
  readonly retryAfter: number | undefined

  constructor(
    code: RefusalCode,
    text: string,
    fields?: Record<string, string>,
    retryAfter?: number,
  ) {
    super(text)
    this.name = 'Refusal'
    this.code = code
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

/** Refusal of a form: the first field's text is the message, every field has its own. */
export function refuseFields(fields: Record<string, string>): Refusal {
  return new Refusal('unprocessable', Object.values(fields)[0] ?? 'Submission failed', fields)
}

/** So many wrong fields are named at once. Whoever sends a file of another kind is not answered with a longer one. */
const MAX_FIELDS = 100

/**
 * The first wrong fields, and how to say at the end of a sentence that there are more. `isCut`: what lies behind them was not looked
 * at, so there may be more still.
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

/** The end of a sentence about wrong fields of which `count` more than those listed are wrong. */
export const unlistedFieldsText = (count: number, isCut = false): string =>
  count > 0
    ? ` (${isCut ? 'at least ' : ''}${count.toLocaleString('en-US')} more fields are wrong and not listed)`
    : ''
