import { usdFromDollars } from '#contract/money.ts'
import { affordableCount } from '#web/catalogue/affordable.ts'
import { useCheapestPrice } from '#web/catalogue/use-cheapest-price.ts'
import { useUser } from '#web/client/session.ts'
import { useAdjustments } from '#web/ledger/adjustments/use-adjustments.ts'
import { afterDeposit } from './amount.ts'
import { texts } from './texts.ts'
import styles from './Payments.module.css'

type WorthProps = {
  /** In dollars. Null: none is typed. */
  amount: number | null
  /** The amount is being typed. */
  live?: boolean
}

/**
 * What an amount buys at the user's cheapest price. Shows nothing while the charges due are
 * unknown.
 */
export function Worth({ amount, live = false }: WorthProps) {
  const { _id: userId, balance } = useUser()
  const price = useCheapestPrice()
  const due = useAdjustments(userId, undefined, balance).data?.waiting.amount
  const after = amount === null || due === undefined ? null : afterDeposit(amount, { balance, due })
  const labels = after && affordableCount(after.usable, price)
  const each = price ? usdFromDollars(price) : ''
  return (
    <p className={styles.worth} role={live ? 'status' : undefined}>
      {labels !== null && (
        <strong>{labels > 0 ? texts.buys(labels, each) : texts.tooLittle(each)}</strong>
      )}
      {after && <span>{texts.after(usdFromDollars(after.balance))}</span>}
      {amount === null && each !== '' && <span>{texts.tooLittle(each)}</span>}
    </p>
  )
}
