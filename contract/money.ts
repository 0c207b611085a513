/**
 * Money: a whole number of US cents with a branded type, so that dollars, pounds or a float cannot
 * be added by accident. On the wire: dollars as a number with at most two decimals.
 */
declare const unit: unique symbol
export type Cents = number & { readonly [unit]: 'cents' }

/** Throws on fractions, NaN and anything a double cannot hold exactly. */
export function cents(n: number): Cents {
  if (!Number.isSafeInteger(n)) throw new Error(`not a whole number of cents: ${n}`)
  return n as Cents
}

export const ZERO = cents(0)

/** An overflow throws instead of rounding. */
export const sum = (amounts: Iterable<Cents>): Cents => {
  let total = 0
  for (const amount of amounts) total += amount
  return cents(total)
}

/** Cents to wire dollars: 1250 becomes 12.5. */
export const dollars = (amount: Cents): number => amount / 100

/**
 * Wire dollars to cents; null for a third decimal, a number that is not finite, or one out of
 * range.
 */
export function fromDollars(value: number): Cents | null {
  const scaled = Math.round(value * 100)
  if (!Number.isSafeInteger(scaled) || Math.abs(scaled / 100 - value) > 1e-9) return null
  return scaled as Cents
}

const USD = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** '$1,284.40'. */
export const usd = (amount: Cents): string => USD.format(amount / 100)

/** '1284.40': for files that programs read. */
export const decimal = (amount: Cents): string => (amount / 100).toFixed(2)

/** Like `usd`, from wire dollars. */
export const usdFromDollars = (value: number): string => USD.format(value)

const SIGNED_USD = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  signDisplay: 'exceptZero',
})

/** '+$9.50', '-$9.50', '$0.00', from wire dollars. */
export const signedUsd = (value: number): string => SIGNED_USD.format(value)
