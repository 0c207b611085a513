import type { SeenFile, SeenRow } from '#contract/endpoint.ts'
import { isRefusalCode, REFUSALS } from '#contract/refusals.ts'
import type { Fault, RefusalCode } from '#contract/refusals.ts'

/** The codes before refusals.ts had them; each is a status alone. */
const STATUS_BY_OLD_CODE = {
  bad_request: 400,
  unauthorized: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  too_many: 429,
  unavailable: 503,
}
type OldCode = keyof typeof STATUS_BY_OLD_CODE

/**
 * `fields`: by field name, for forms and bulk rows ('17.ToZipPostal'). `retryAfter` in seconds.
 * `methods`: how a proof can be given. `seen`: what was bought before.
 */
export type RefusalDetail = {
  fields?: Record<string, Fault>
  retryAfter?: number
  methods?: readonly string[]
  seen?: { file: SeenFile | null; rowCount: number; rows: SeenRow[] }
}

/**
 * Why a request is refused; the code decides the HTTP status. The message is shown to the user. Any
 * other error is a fault of the program: status 500.
 */
export class Refusal extends Error {
  readonly code: RefusalCode | OldCode
  readonly fields: Record<string, string> | undefined
  readonly faults: Record<string, Fault> | undefined
  readonly retryAfter: number | undefined
  readonly methods: RefusalDetail['methods']
  readonly seen: RefusalDetail['seen']

  constructor(code: RefusalCode, text: string, detail?: RefusalDetail)
  constructor(code: OldCode, text: string, fields?: Record<string, string>, retryAfter?: number)
  constructor(
    code: RefusalCode | OldCode,
    text: string,
    more?: RefusalDetail | Record<string, string>,
    retryAfter?: number,
  ) {
    super(text)
    this.name = 'Refusal'
    this.code = code
    if (isRefusalCode(code)) {
      const { fields, retryAfter: seconds, methods, seen } = (more ?? {}) as RefusalDetail
      this.faults = fields
      this.fields =
        fields
        && Object.fromEntries(Object.entries(fields).map(([field, fault]) => [field, fault.text]))
      this.retryAfter = seconds
      this.methods = methods
      this.seen = seen
    } else {
      this.fields = more as Record<string, string> | undefined
      this.retryAfter = retryAfter
    }
  }

  get status(): number {
    return isRefusalCode(this.code) ? REFUSALS[this.code].status : STATUS_BY_OLD_CODE[this.code]
  }
}

/** Refusal of a form. Message and code are those of the first field. */
export function refuseFields(fields: Record<string, string> | Record<string, Fault>): Refusal {
  const [first] = Object.values(fields)
  return typeof first === 'object'
    ? new Refusal(first.code, first.text, { fields: fields as Record<string, Fault> })
    : new Refusal('unprocessable', first ?? 'Submission failed', fields as Record<string, string>)
}

/** Refusal for one wrong field. */
export const refuseField = (field: string, code: RefusalCode, text: string): Refusal =>
  new Refusal(code, text, { fields: { [field]: { code, text } } })

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
