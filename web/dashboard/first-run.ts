/** The first steps of a new customer, from what the account has. Pure. */
import type { Deposit } from '#contract/payments.ts'
import { isWalletUsed } from '#web/ledger/used-wallet.ts'
import type { WalletFigures } from '#web/ledger/used-wallet.ts'

type FirstSteps = { money: boolean; sender: boolean; label: boolean }

/**
 * Undefined while something is unknown, null when all are done.
 */
export function firstStepsLeft(account: {
  wallet: WalletFigures
  addresses: number | undefined
  orders: number | undefined
}): FirstSteps | null | undefined {
  const { wallet, addresses, orders } = account
  if (addresses === undefined || orders === undefined) return undefined
  const steps = {
    money: isWalletUsed(wallet),
    sender: addresses > 0,
    label: orders > 0,
  }
  return steps.money && steps.sender && steps.label ? null : steps
}

/** The newest deposit that is under way: an invoice to pay, or a payment that is not confirmed yet. */
export type OpenDeposit = { state: 'unpaid' | 'arriving'; amount: number }

/** `deposits`: newest first. */
export function openDepositOf(deposits: readonly Deposit[]): OpenDeposit | null {
  const open = deposits.find(({ status }) => status === 'New' || status === 'Processing')
  if (!open) return null
  return open.status === 'New'
    ? { state: 'unpaid', amount: open.requested ?? open.amount }
    : { state: 'arriving', amount: open.amount > 0 ? open.amount : (open.requested ?? 0) }
}
