/** The dark bar: count, price, shortfall and Submit. */
import { Link } from 'react-router'
import { numberText } from '#contract/format.ts'
import { cents, fromDollars, usd, usdFromDollars } from '#contract/money.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import type { SubmitProblem } from './bulk-store.ts'
import { texts } from './texts.ts'
import type { TablePrice } from './use-table-price.ts'
import styles from './Bulk.module.css'

type BulkFooterProps = {
  count: number
  price: TablePrice
  submitting: boolean
  /** Why the table can't be submitted now. */
  disabledReason: string | null
  problem: SubmitProblem | null
  onSubmit: () => void
}

export function BulkFooter({
  count,
  price,
  submitting,
  disabledReason,
  problem,
  onSubmit,
}: BulkFooterProps) {
  const { balance } = useUser()
  return (
    <div className={styles.foot}>
      {problem && (
        <ErrorLine>
          {problem.conflict ? texts.conflict : problem.text}{' '}
          {problem.conflict && (
            <Link className={styles.linkButton} to="/main/batch-orders">
              {texts.openBatchOrders}
            </Link>
          )}
          {problem.canRetry && (
            <button type="button" className={styles.linkButton} onClick={onSubmit}>
              {texts.tryAgain}
            </button>
          )}
        </ErrorLine>
      )}
      <div className={styles.bar} data-surface="hero">
        <dl className={styles.figures}>
          <div>
            <dt>{texts.count}</dt>
            <dd>{numberText(count)}</dd>
          </div>
          <div>
            <dt>{texts.price}</dt>
            <dd data-pending={price.pending || undefined} aria-busy={price.pending || undefined}>
              {price.total === null ? texts.noPrice : usdFromDollars(price.total)}
            </dd>
          </div>
        </dl>
        <p className={styles.remark} role="status">
          {price.error ?? (
            <Shortfall price={price.pending ? null : price.total} balance={balance} />
          )}
        </p>
        <Button
          kind="money"
          size="large"
          busy={submitting}
          disabledReason={disabledReason}
          onClick={onSubmit}
        >
          {texts.submit}
        </Button>
      </div>
    </div>
  )
}

/** The missing amount in dollars; nothing while the price is unknown. */
function Shortfall({ price, balance }: { price: number | null; balance: number }) {
  const missing = price === null ? 0 : (fromDollars(price) ?? 0) - (fromDollars(balance) ?? 0)
  if (missing <= 0) return null
  return (
    <>
      {texts.short(usd(cents(missing)))}
      <Link to="/main/deposit">{texts.topUp}</Link>
    </>
  )
}
