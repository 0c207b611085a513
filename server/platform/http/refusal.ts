import type { SeenFile, SeenRow } from '#contract/endpoint.ts'
import type { FieldFault } from '#contract/faults.ts'
import { REFUSALS } from '#contract/refusals.ts'
import type { Fault, RefusalCode } from '#contract/refusals.ts'

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
  readonly code: RefusalCode
  readonly fields: RefusalDetail['fields']
  readonly retryAfter: RefusalDetail['retryAfter']
  readonly methods: RefusalDetail['methods']
  readonly seen: RefusalDetail['seen']

  constructor(code: RefusalCode, text: string, detail: RefusalDetail = {}) {
    super(text)
    this.name = 'Refusal'
    this.code = code
    this.fields = detail.fields
    this.retryAfter = detail.retryAfter
    this.methods = detail.methods
    this.seen = detail.seen
  }

  get status(): number {
    return REFUSALS[this.code].status
  }
}

/** Refusal of a form. Message and code are those of the first field. */
export function refuseFields(fields: Record<string, Fault>): Refusal {
  const [first] = Object.values(fields)
  if (!first) throw new Error('no field is wrong')
  return new Refusal(first.code, first.text, { fields })
}

export const refuseField = (field: string, code: RefusalCode, text: string): Refusal =>
  new Refusal(code, text, { fields: { [field]: { code, text } } })

/** Most wrong fields named in one response: a wrong kind of file would make every field wrong. */
const MAX_FIELDS = 100

/**
 * The first wrong fields, and the end of a sentence about the others. `isCut`: validation stopped
 * early, so there may be still more.
 */
export function firstWrongFields(
  wrong: readonly [field: string, fault: FieldFault][],
  isCut = false,
): { fields: Record<string, FieldFault>; more: string } {
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
