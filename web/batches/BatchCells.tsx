/** The cells of a bulk order in the list: name and date, price, status with its shares. */
import type { Batch } from '#contract/batches.ts'
import { usdFromDollars } from '#contract/money.ts'
import { cx } from '#web/ui/cx.ts'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import type { Tone } from '#web/ui/tone.ts'
import { Money } from '#web/ui/Value.tsx'
import {
  batchDateText,
  batchName,
  batchShares,
  countsText,
  hasFewFailures,
  statusText,
  statusTone,
} from './batch-view.ts'
import type { BatchShares } from './batch-view.ts'
import { texts } from './texts.ts'
import styles from './BatchOrders.module.css'

const t = texts.list

const BAR: { share: keyof BatchShares; tone?: Tone }[] = [
  { share: 'bought', tone: 'green' },
  { share: 'failed', tone: 'red' },
  { share: 'voided', tone: 'neutral' },
  { share: 'open' },
]

type BatchProps = { batch: Batch }

/** Long file names are cut; the number is always there. */
export function BatchNameText({ batch }: BatchProps) {
  const { _id, fileName } = batch
  if (!fileName) return <span className={styles.name}>{batchName(batch)}</span>
  return (
    <span className={styles.name} title={fileName}>
      <span className={styles.file}>{fileName}</span> <span>{t.number(_id)}</span>
    </span>
  )
}

export const BatchDate = ({ batch: { createdAt } }: BatchProps) => (
  <time dateTime={createdAt} className={styles.created}>
    {batchDateText(createdAt)}
  </time>
)

/** What was charged leads; below it the price at submit, where it differs. */
export function BatchPrice({ batch: { bulkOrderData, finalCost } }: BatchProps) {
  const charged = finalCost ?? bulkOrderData.cost
  return (
    <span className={cx(styles.stack, styles.end)}>
      <Money dollars={charged} className={styles.price} />
      {charged !== bulkOrderData.cost && (
        <span className={styles.small}>{t.ordered(usdFromDollars(bulkOrderData.cost))}</span>
      )}
    </span>
  )
}

export const BatchStatusPill = ({ batch }: BatchProps) => (
  <StatusPill tone={statusTone(batch.status)} quiet={hasFewFailures(batch)}>
    {statusText(batch.status, batch.failedCount)}
  </StatusPill>
)

/** '12 of 17 bought'. */
export const BatchCounts = ({ batch }: BatchProps) => (
  <span className={cx(styles.small, styles.counts)}>{countsText(batch)}</span>
)

export function BatchStatusCell({ batch }: BatchProps) {
  return (
    <span className={styles.stack}>
      <BatchStatusPill batch={batch} />
      <BatchBar batch={batch} />
      <BatchCounts batch={batch} />
    </span>
  )
}

/** What the counts say in words. */
export function BatchBar({ batch }: BatchProps) {
  const shares = batchShares(batch)
  return (
    <span className={styles.bar} aria-hidden="true">
      {BAR.filter(({ share }) => shares[share] > 0).map(({ share, tone }) => (
        <span key={share} data-tone={tone} style={{ flexGrow: shares[share] }} />
      ))}
    </span>
  )
}
