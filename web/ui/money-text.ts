import { fromDollars, signedUsd, usdFromDollars } from '#contract/money.ts'

/** A minus is as wide as a plus; a hyphen is for files that programs read. */
export const withMinus = (text: string): string => text.replace('-', '\u2212')

/** '$9.50', '−$9.50' with a minus sign instead of a hyphen, from dollars. */
export const moneyText = (dollars: number): string => withMinus(usdFromDollars(dollars))

/** '+$9.50', '−$9.50', '$0.00'. */
export const signedMoneyText = (dollars: number): string => withMinus(signedUsd(dollars))

/** '$1,250.50' as 1250.5; null for text that is no amount of dollars and cents: '1,5' may be meant as 1.5. */
export function parseDollars(text: string): number | null {
  const digits = text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(/,(?=\d{3}(?!\d))/g, '')
  if (!/^(\d+\.?\d{0,2}|\.\d{1,2})$/.test(digits)) return null
  const dollars = Number(digits)
  return fromDollars(dollars) === null ? null : dollars
}
