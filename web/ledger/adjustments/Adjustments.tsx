/** A label's adjustments: behind a line of the statement, and on the label's own page. */
import { usdFromDollars } from '#contract/money.ts'
import { MoreToggle } from '#web/ledger/MoreToggle.tsx'
import { Card } from '#web/ui/Card.tsx'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { AdjustmentReport } from './AdjustmentReport.tsx'
import { texts } from './texts.ts'
import { useAdjustments } from './use-adjustments.ts'
import styles from './Adjustments.module.css'

type OfLabel = { userId: string; orderId: string }

/** Opens to what the carrier measured. */
export function AdjustmentToggle({ userId, orderId }: OfLabel) {
  return (
    <MoreToggle texts={texts} subject={texts.ofLabel(orderId)}>
      <div className={styles.more}>
        <AdjustmentList userId={userId} orderId={orderId} />
      </div>
    </MoreToggle>
  )
}

function AdjustmentList({ userId, orderId }: OfLabel) {
  const { data, isError, refetch } = useAdjustments(userId, orderId)
  if (!data) {
    return isError ? (
      <LoadErrorNotice onRetry={() => void refetch()}>{texts.failed}</LoadErrorNotice>
    ) : (
      <p role="status">{texts.loading}</p>
    )
  }
  if (data.adjustments.length === 0) return <p className={styles.quiet}>{texts.noneMeasured}</p>
  return data.adjustments.map(one => (
    <AdjustmentReport key={one._id} userId={userId} adjustment={one} />
  ))
}

/** Nothing for a label without adjustments. */
export function AdjustmentsCard({ userId, orderId }: OfLabel) {
  const { data } = useAdjustments(userId, orderId)
  if (!data || data.adjustments.length === 0) return null
  return (
    <Card title={texts.title}>
      <div>
        {data.adjustments.map(one => (
          <AdjustmentReport key={one._id} userId={userId} adjustment={one} />
        ))}
      </div>
    </Card>
  )
}

/** What the balance did not cover; nothing if nothing waits. */
export function WaitingNotice({ userId, balance }: { userId: string; balance: number }) {
  const { data } = useAdjustments(userId, undefined, balance)
  if (!data || data.waiting.count === 0) return null
  return <Notice tone="yellow">{texts.waiting(usdFromDollars(data.waiting.amount))}</Notice>
}
