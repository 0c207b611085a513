/** The figures of an account without money and labels: one quiet row, each with what will fill it. */
import { Link } from 'react-router'
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { Deposit } from '#contract/payments.ts'
import { useCheapestPrice } from '#web/catalogue/use-cheapest-price.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { useRecentDeposits } from '#web/payments/use-recent-deposits.ts'
import { openDepositOf } from './first-run.ts'
import { texts } from './texts.ts'
import { useTotalOrders } from './use-recent.ts'
import styles from './UnusedFigures.module.css'

export function UnusedFigures() {
  const { user, pathOf } = useShownAccount()
  const { data: orders } = useTotalOrders()
  const { data: deposits } = useRecentDeposits()
  const price = useCheapestPrice()
  const figures = [
    {
      name: texts.balance,
      value: usdFromDollars(user.balance),
      text: price ? texts.notEnough(usdFromDollars(price)) : '',
      link: true,
    },
    {
      name: texts.totalDeposit,
      value: usdFromDollars(user.totalDeposit),
      text: deposits ? depositText(deposits) : '',
    },
    {
      name: texts.totalOrders,
      value: orders ? numberText(orders.totalOrders) : texts.unknown,
      text: texts.unused.orders,
    },
    {
      name: texts.totalSpent,
      value: usdFromDollars(user.totalSpent),
      text: texts.unused.spent,
    },
  ]
  return (
    <section className={styles.row} aria-label={texts.figures}>
      {figures.map(({ name, value, text, link }) => (
        <div key={name} className={styles.figure}>
          <h2 className={styles.name}>{name}</h2>
          <p className={styles.value}>{value}</p>
          <p className={styles.text}>
            {text}
            {link && (
              <Link to={pathOf('/main/wallet') ?? '.'} className={styles.link}>
                {texts.statement}
              </Link>
            )}
          </p>
        </div>
      ))}
    </section>
  )
}

function depositText(deposits: readonly Deposit[]): string {
  const open = openDepositOf(deposits)
  if (open === null || open.amount === 0) return texts.unused.deposit
  return texts.unused[open.state](usdFromDollars(open.amount))
}
