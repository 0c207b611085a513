/** The picture of a statement without lines: three of a sample, newest first. */
import { Money } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from './SampleLines.module.css'

const { sample: t, columns } = texts
const DEPOSIT = 100

/** Decoration; its prices are the user's own. */
export function SampleLines({ labelPrice }: { labelPrice: number | null }) {
  const price = labelPrice ?? 0
  const lines = [
    { name: t.refund, amount: price, after: DEPOSIT },
    { name: t.label, amount: -price, after: DEPOSIT - price },
    { name: t.deposit, amount: DEPOSIT, after: DEPOSIT },
  ]
  return (
    <div className={styles.sheet} data-waiting={price === 0 || undefined} aria-hidden="true">
      <span className={styles.mark}>{t.mark}</span>
      <div className={styles.line} data-head>
        <span>{columns.reason}</span>
        <span>{columns.amount}</span>
        <span>{columns.balance}</span>
      </div>
      {lines.map(({ name, amount, after }) => (
        <div key={name} className={styles.line}>
          <span>{name}</span>
          <Money signed dollars={amount} className={styles.amount} />
          <Money dollars={after} />
        </div>
      ))}
    </div>
  )
}
