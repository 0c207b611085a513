import type { FieldCode } from '#contract/faults.ts'

/** What a cell of the table has room for. */
const SHORT_FAULTS: Partial<Record<FieldCode, string>> = {
  required: 'Required',
  too_long: 'Too long',
  character_not_printable: 'Can’t be printed',
  masked: 'Masked',
  changed_by_spreadsheet: 'Digits lost',
  zip_malformed: 'Not a ZIP',
  state_unknown: 'Not a state',
  country_not_supported: 'US only',
  phone_malformed: 'Not a phone',
  not_a_whole_number: 'Not a count',
  measure_not_positive: 'Not above 0',
  weight_above_limit: 'Too heavy',
  weight_too_low: 'Too light',
  size_too_large: 'Too large',
  service_not_available: 'Not available',
}

/** The short form of a fault, up to 16 characters; the whole sentence where it has none. */
export const shortFault = (code: FieldCode | undefined, sentence: string): string =>
  (code && SHORT_FAULTS[code]) ?? sentence
