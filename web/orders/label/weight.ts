/** A weight in pounds and ounces. Pure. */

/** As typed; '' where a field is empty. */
export type TypedWeight = { pounds: string; ounces: string }

const OUNCES_PER_POUND = 16
/** As many as the field of pounds takes. */
const DECIMALS = 4

/** Pounds as the form keeps them: '2.25' of 2 lb 4 oz. Without ounces the pounds as typed. */
export function poundsOf({ pounds, ounces }: TypedWeight): string {
  if (ounces === '') return pounds
  // No weight, so that the form says so.
  const negative = [pounds, ounces].find(part => Number(part) < 0)
  if (negative !== undefined) return negative
  const sum = Number(pounds) + Number(ounces) / OUNCES_PER_POUND
  return Number.isFinite(sum) ? String(Number(sum.toFixed(DECIMALS))) : pounds
}
