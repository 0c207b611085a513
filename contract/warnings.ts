/** Codes of what to check in a row that was accepted, with their texts for programs. */
export const WARNINGS = {
  zip_not_in_state: ['The ZIP code is not in the state.', 'Check both.'],
  city_not_of_zip: [
    'The city has another ZIP code.',
    'Check both; some places have several names.',
  ],
  zip_unknown: ['The ZIP code is not in the table of this version.', 'Check its digits.'],
  receiver_twice: ['Several rows have the same receiver.', 'Combine them if one label is enough.'],
  quantity_over_max: ['One package of this SKU holds fewer.', 'Buy more labels, or check the SKU.'],
  weight_from_parts: ['The weight is the sum of several lines.', 'Check the weight.'],
  bought_before: ['The same label was ordered in the last 24 hours.', 'Check that it is another.'],
} as const satisfies Record<string, readonly [meaning: string, remedy: string]>

export type WarningCode = keyof typeof WARNINGS
export const WARNING_CODES = Object.keys(WARNINGS) as WarningCode[]
