import { fieldByName } from '#contract/rows.ts'
import type { FieldKind, RowField } from '#contract/rows.ts'

/** A ZIP+4 may be typed without its hyphen. */
const INPUT_MODES: Partial<Record<FieldKind, 'decimal' | 'numeric' | 'tel'>> = {
  number: 'decimal',
  count: 'numeric',
  phone: 'tel',
  zip: 'numeric',
}
/** MUG-12 is not Mug-12. */
const CODES: ReadonlySet<RowField> = new Set(['orderId', 'orderItemId', 'skuNumber'])

/** For an input on a phone. */
export const keyboardFor = (name: RowField) => ({
  inputMode: INPUT_MODES[fieldByName(name).kind],
  ...(CODES.has(name) && { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }),
})
