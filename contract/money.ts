/**
 * Money. Inside the house an amount is a whole number of US cents with a type of its own, so that dollars, pounds or a
 * stray float cannot be added to it by accident. On the wire it is dollars as a number with at most two decimals.
 */
declare const unit: unique symbol
export type Cents = number & { readonly [unit]: 'cents' }

/** The only way to make Cents. Throws on fractions, NaN and anything a double cannot hold exactly. */
export function cents(n: number): Cents {
  if (!Number.isSafeInteger(n)) throw new Error(`not a whole number of cents: ${n}`)
  return n as Cents
}

export const ZERO = cents(0)

/** Adds amounts; an overflow throws instead of rounding. */
export const sum = (amounts: Iterable<Cents>): Cents => {
  let total = 0
  for (const amount of amounts) total += amount
  return cents(total)
}

/** Cents to wire dollars: 1250 becomes 12.5. */
export const dollars = (amount: Cents): number => amount / 100

/** Wire dollars to cents, or null when the number has a third decimal, is not finite or is out of range. */
export function fromDollars(value: number): Cents | null {
  const scaled = Math.round(value * 100)
  if (!Number.isSafeInteger(scaled) || Math.abs(scaled / 100 - value) > 1e-9) return null
  return scaled as Cents
}

const USD = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** '$1,284.40' (specification, 9: a $ sign and two decimals). */
export const usd = (amount: Cents): string => USD.format(amount / 100)

/** '1284.40': for files that programs read. */
export const decimal = (amount: Cents): string => (amount / 100).toFixed(2)

/** The same as `usd`, for dollars as they come over the wire. */
export const usdFromDollars = (value: number): string => USD.format(value)

const SIGNED_USD = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  signDisplay: 'exceptZero',
})

/** '+$9.50', '-$9.50', '$0.00': a movement, from dollars as they come over the wire. */
export const signedUsd = (value: number): string => SIGNED_USD.format(value)
