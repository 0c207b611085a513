import { usdFromDollars } from '#contract/money.ts'
import type { Deposit } from '#contract/payments.ts'
import { Money } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from './Payments.module.css'

/** What was paid; of an unpaid invoice, what was asked for, or that nothing was. */
export function DepositAmount({ deposit: { amount, requested } }: { deposit: Deposit }) {
  if (amount > 0) return <Money dollars={amount} className={styles.amount} />
  if (requested !== null)
    return <span className={styles.nothing}>{texts.asked(usdFromDollars(requested))}</span>
  return <span className={styles.nothing}>{texts.nothingPaid}</span>
}
