/** The amount that a user types to add to the balance. Pure. */
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { TOP_UP_MAX_DOLLARS, TOP_UP_MIN_DOLLARS } from '#contract/payments.ts'
import { parseDollars } from '#web/ui/money-text.ts'

/** Amounts offered as buttons, in dollars. */
export const QUICK_AMOUNTS = [50, 100, 500] as const

/**
 * What a deposit of `amount` leaves to use, and the balance afterwards, in dollars: `due`, charges
 * that the balance did not cover, is taken from it first.
 */
export function afterDeposit(
  amount: number,
  { balance, due }: { balance: number; due: number },
): { usable: number; balance: number } {
  const inCents = (value: number) => Math.round(value * 100)
  const usable = Math.max(0, inCents(amount) - inCents(due))
  const after = Math.max(0, inCents(balance) + inCents(amount) - inCents(due))
  return { usable: usable / 100, balance: after / 100 }
}

/** What is wrong with the amount and what to enter; null when an invoice can ask for it. */
export function amountProblem(text: string): string | null {
  const value = parseDollars(text)
  const range = `from $${TOP_UP_MIN_DOLLARS} to $${numberText(TOP_UP_MAX_DOLLARS)}`
  if (text.trim() === '') return `Enter an amount ${range}.`
  if (value === null)
    return `“${text.trim().slice(0, 20)}” is not an amount. Enter dollars and cents, such as 50 or 49.50.`
  return value < TOP_UP_MIN_DOLLARS || value > TOP_UP_MAX_DOLLARS
    ? `${usdFromDollars(value)} is out of range. Enter an amount ${range}.`
    : null
}
