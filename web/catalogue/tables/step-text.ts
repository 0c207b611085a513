import { numberText } from '#contract/format.ts'
import { OUNCES_PER_POUND } from '#contract/pricing.ts'

/** '4 oz', '20 lb'. */
export const weightText = (ounces: number): string =>
  ounces < OUNCES_PER_POUND
    ? `${numberText(ounces)} oz`
    : `${numberText(ounces / OUNCES_PER_POUND)} lb`
