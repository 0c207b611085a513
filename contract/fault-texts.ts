import type { FieldFault } from './faults.ts'

/** Of wrong fields, their texts alone. */
export function textsOf<Field extends string>(
  faults: Partial<Record<Field, FieldFault>>,
): Partial<Record<Field, string>> {
  const texts: Partial<Record<Field, string>> = {}
  for (const field in faults) texts[field] = faults[field]!.text
  return texts
}
