/** What a label may ask for beside its service: a signature on delivery, delivery on a Saturday. */
import * as z from 'zod'
import { DollarsOutput } from './endpoint.ts'
import type { FieldFault } from './faults.ts'
import { shortenText } from './text.ts'

/** `adult`: of a person of 21 years or older. */
export const SIGNATURES = ['none', 'signature', 'adult'] as const
export const Signature = z.enum(SIGNATURES)
export type Signature = z.output<typeof Signature>

export type LabelOptions = { signature: Signature; saturday: boolean }

export const NO_OPTIONS: LabelOptions = { signature: 'none', saturday: false }

/** What has a price of its own per service. */
export const OPTION_KINDS = ['signature', 'adult', 'saturday'] as const
export type OptionKind = (typeof OPTION_KINDS)[number]

export const OPTION_NAMES: Record<OptionKind, string> = {
  signature: 'Signature on delivery',
  adult: 'Adult signature (21 or older)',
  saturday: 'Saturday delivery',
}

export const kindsOf = ({ signature, saturday }: LabelOptions): OptionKind[] => [
  ...(signature === 'none' ? [] : [signature]),
  ...(saturday ? ['saturday' as const] : []),
]

export const hasOptions = (options: LabelOptions): boolean => kindsOf(options).length > 0

/** Price in dollars on top of the service's; null where it is not offered, and `reason` says why. */
export const OptionOffer = z.object({
  price: DollarsOutput.nullable(),
  reason: z.string().nullable(),
})
export type OptionOffer = z.output<typeof OptionOffer>

/** The fields that ask for an option, of a single order and of a bulk row. */
export const OPTION_FIELDS = ['signature', 'saturday'] as const
export type OptionField = (typeof OPTION_FIELDS)[number]

export const OPTION_FIELD_LABELS: Record<OptionField, string> = {
  signature: 'Signature',
  saturday: 'Saturday delivery',
}

/** Options of a bulk row, as read or typed. A row that asks for nothing has none of these keys. */
export type OptionCells = Partial<Record<OptionField, string>>

const YES = new Set(['yes', 'y', 'true', '1', 'x'])
const NO = new Set(['', 'no', 'n', 'false', '0', 'none'])
const PLAIN_SIGNATURE = new Set(['signature', 'signatureconfirmation', 'signaturerequired'])
const ADULT_SIGNATURE = new Set(['adult', 'adultsignature', 'adultsignaturerequired'])
/** No word above is longer; a cell may have megabytes. */
const MAX_WORD = 60

const wordOf = (text: string): string =>
  text === '' || text.length > MAX_WORD
    ? text
    : text
        .trim()
        .toLowerCase()
        .replace(/[\s_-]+/g, '')

/** Null for text that is none of the words for it. */
export function readSignature(text: string): Signature | null {
  const word = wordOf(text)
  if (NO.has(word)) return 'none'
  if (YES.has(word) || PLAIN_SIGNATURE.has(word)) return 'signature'
  return ADULT_SIGNATURE.has(word) ? 'adult' : null
}

/** Null for text that is none of the words for it. */
export function readSaturday(text: string): boolean | null {
  const word = wordOf(text)
  if (NO.has(word)) return false
  return YES.has(word) || word === 'saturday' ? true : null
}

export const cellsOfOptions = ({ signature, saturday }: LabelOptions): OptionCells => ({
  ...(signature !== 'none' && { signature }),
  ...(saturday && { saturday: 'yes' }),
})

const textOf = (given: unknown): string => {
  if (given === undefined || given === null) return ''
  return typeof given === 'object' ? (JSON.stringify(given) ?? '') : String(given)
}

/**
 * Options of a row from unchecked input: one that is asked for as 'signature', 'adult' or 'yes', text
 * that cannot be read as it is, and no key otherwise.
 */
export function parseOptionCells(given: unknown): OptionCells {
  const sent = (given ?? {}) as Partial<Record<OptionField, unknown>>
  const texts = { signature: textOf(sent.signature), saturday: textOf(sent.saturday) }
  if (texts.signature === '' && texts.saturday === '') return {}
  return {
    ...cellsOfOptions(optionsOfCells(texts)),
    ...(readSignature(texts.signature) === null && { signature: shortenText(texts.signature) }),
    ...(readSaturday(texts.saturday) === null && { saturday: shortenText(texts.saturday) }),
  }
}

/** Text that cannot be read asks for nothing; `optionCellFaults` tells of it. */
export const optionsOfCells = ({ signature = '', saturday = '' }: OptionCells): LabelOptions => ({
  signature: readSignature(signature) ?? 'none',
  saturday: readSaturday(saturday) ?? false,
})

/** The cells that cannot be read. */
export function optionCellFaults({
  signature = '',
  saturday = '',
}: OptionCells): Partial<Record<OptionField, FieldFault>> {
  if (signature === '' && saturday === '') return {}
  const fault = (field: OptionField, value: string, words: string): FieldFault => ({
    code: 'not_a_choice',
    text: `${OPTION_FIELD_LABELS[field]} '${shortenText(value)}' is not ${words}; type one of these, or leave it empty`,
  })
  return {
    ...(readSignature(signature) === null && {
      signature: fault('signature', signature, 'yes, adult or no'),
    }),
    ...(readSaturday(saturday) === null && {
      saturday: fault('saturday', saturday, 'yes or no'),
    }),
  }
}

/** 'Signature on delivery, Saturday delivery'; '' for none. */
export const optionsText = (options: LabelOptions): string =>
  kindsOf(options)
    .map(kind => OPTION_NAMES[kind])
    .join(', ')
