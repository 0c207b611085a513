import { usdFromDollars } from '#contract/money.ts'
import { affordableCount } from '#web/catalogue/affordable.ts'
import { useCheapestPrice } from '#web/catalogue/use-cheapest-price.ts'
import { useUser } from '#web/client/session.ts'
import { texts } from './texts.ts'
import styles from './Payments.module.css'

type WorthProps = {
  /** In dollars. Null: none is typed. */
  amount: number | null
  /** The amount is being typed. */
  live?: boolean
}

/** What an amount buys at the user's cheapest price. */
export function Worth({ amount, live = false }: WorthProps) {
  const { balance } = useUser()
  const price = useCheapestPrice()
  const labels = amount === null ? null : affordableCount(amount, price)
  const each = price ? usdFromDollars(price) : ''
  return (
    <p className={styles.worth} role={live ? 'status' : undefined}>
      {labels !== null && (
        <strong>{labels > 0 ? texts.buys(labels, each) : texts.tooLittle(each)}</strong>
      )}
      {amount !== null && <span>{texts.after(usdFromDollars(balance + amount))}</span>}
      {amount === null && each !== '' && <span>{texts.tooLittle(each)}</span>}
    </p>
  )
}
