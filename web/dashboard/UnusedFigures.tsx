/** The figures of an account without money and labels, in one low row. */
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { texts } from './texts.ts'
import { useTotalOrders } from './use-recent.ts'
import styles from './UnusedFigures.module.css'

export function UnusedFigures() {
  const { balance, totalDeposit, totalSpent } = useShownAccount().user
  const orders = useTotalOrders().data
  const figures = [
    { name: texts.balance, value: usdFromDollars(balance) },
    { name: texts.totalDeposit, value: usdFromDollars(totalDeposit) },
    { name: texts.totalOrders, value: orders ? numberText(orders.totalOrders) : texts.unknown },
    { name: texts.totalSpent, value: usdFromDollars(totalSpent) },
  ]
  return (
    <section className={styles.row} aria-label={texts.figures}>
      {figures.map(({ name, value }) => (
        <div key={name} className={styles.figure}>
          <h2 className={styles.name}>{name}</h2>
          <p className={styles.value}>{value}</p>
        </div>
      ))}
    </section>
  )
}
