/** The first steps of a new customer, from what the account has. Pure. */
type FirstSteps = { money: boolean; sender: boolean; label: boolean }

/**
 * Undefined while something is unknown, null when all are done.
 */
export function firstStepsLeft(account: {
  totalDeposit: number
  balance: number
  addresses: number | undefined
  orders: number | undefined
}): FirstSteps | null | undefined {
  const { totalDeposit, balance, addresses, orders } = account
  if (addresses === undefined || orders === undefined) return undefined
  const steps = {
    money: totalDeposit > 0 || balance > 0,
    sender: addresses > 0,
    label: orders > 0,
  }
  return steps.money && steps.sender && steps.label ? null : steps
}
