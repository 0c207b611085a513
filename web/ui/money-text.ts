import { signedUsd, usdFromDollars } from '#contract/money.ts'

/** A minus is as wide as a plus; a hyphen is for files that programs read. */
export const withMinus = (text: string): string => text.replace('-', '\u2212')

/** '$9.50', '−$9.50' with a minus sign instead of a hyphen, from dollars. */
export const moneyText = (dollars: number): string => withMinus(usdFromDollars(dollars))

/** '+$9.50', '−$9.50', '$0.00'. */
export const signedMoneyText = (dollars: number): string => withMinus(signedUsd(dollars))
