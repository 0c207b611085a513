import { usdFromDollars } from '#contract/money.ts'
import type { Deposit } from '#contract/payments.ts'
import { Money } from '#web/ui/Value.tsx'
import { listedAmount } from './deposit-appearance.ts'
import { texts } from './texts.ts'
import styles from './Payments.module.css'

/** The amount paid, or credited once settled; for an unpaid invoice the requested amount, or that none was named. */
export function DepositAmount({ deposit }: { deposit: Deposit }) {
  const { requested } = deposit
  const amount = listedAmount(deposit)
  if (amount > 0) return <Money dollars={amount} className={styles.amount} />
  if (requested !== null)
    return <span className={styles.nothing}>{texts.asked(usdFromDollars(requested))}</span>
  return <span className={styles.nothing}>{texts.nothingPaid}</span>
}
