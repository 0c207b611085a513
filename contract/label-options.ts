/** What a label may ask for beside its service: a signature on delivery, delivery on a Saturday. */
import * as z from 'zod'

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

/** The options that a label asks for. */
export const kindsOf = ({ signature, saturday }: LabelOptions): OptionKind[] => [
  ...(signature === 'none' ? [] : [signature]),
  ...(saturday ? ['saturday' as const] : []),
]

export const hasOptions = (options: LabelOptions): boolean => kindsOf(options).length > 0
