import type { Deposit } from '#contract/payments.ts'
import { Money } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from './Payments.module.css'

/** What was paid; a dash for an unpaid invoice. */
export const DepositAmount = ({ deposit: { amount } }: { deposit: Deposit }) =>
  amount > 0 ? (
    <Money dollars={amount} className={styles.amount} />
  ) : (
    <span className={styles.nothing}>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{texts.nothingPaid}</span>
    </span>
  )
