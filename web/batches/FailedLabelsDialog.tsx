import type { Batch, FailedLabel } from '#contract/batches.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { remedyFor } from '#web/orders/failure-remedies.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { fadeAtEdges } from '#web/ui/fade-at-edges.ts'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { retryableLabels } from './batch-actions.ts'
import { batchName } from './batch-view.ts'
import {
  FailedAddress,
  FailedChevron,
  FailedLabelLink,
  FailedLine,
  FailureReason,
} from './FailedLines.tsx'
import { moneyLines } from './progress/failure-lines.ts'
import { useFailures } from './progress/FailureSummary.tsx'
import { texts } from './texts.ts'
import styles from './BatchOrders.module.css'

/** More is unreadable on a screen. The Result CSV has all of them. */
const MAX_LISTED_FAILURES = 100

const t = texts.failures

/** Failed labels of a bulk order, by reason. Open while `batch` is given. */
export function FailedLabelsDialog({
  batch,
  onClose,
  onRetry,
}: {
  batch: Batch | null
  onClose: () => void
  /** Not for an administrator who looks at the account. */
  onRetry?: (batch: Batch) => void
}) {
  const labels = batch?.failedLabels ?? []
  const count = batch?.failedCount ?? 0
  const { user, isLook } = useShownAccount()
  const failures = useFailures(
    user._id,
    { orderId: batch?._id ?? null, failedCount: count, running: false },
    batch !== null,
  )
  const hasItems = labels.some(({ orderItemId }) => orderItemId)
  const isPhone = useIsPhone()
  const heads = [t.row, ...(hasItems ? [t.item] : []), t.receiver, t.address]
  const byReason = Map.groupBy(
    labels.slice(0, MAX_LISTED_FAILURES),
    ({ reason, retryable }) => `${retryable} ${reason}`,
  )
  // An administrator who looks at the account changes nothing.
  const retryable = batch && !isLook ? retryableLabels(batch).count : 0
  const canRetry = batch !== null && !isLook && retryableLabels(batch).canRetry
  return (
    <Dialog
      opened={batch !== null}
      onClose={onClose}
      title={
        <>
          {t.title(count)} {batch && <span className={styles.ofBatch}>{batchName(batch)}</span>}
        </>
      }
      closeButton={t.close}
      actions={
        batch
        && retryable > 0 && (
          <>
            {canRetry && onRetry && (
              <Button
                size="large"
                onClick={() => {
                  onClose()
                  onRetry(batch)
                }}
              >
                {texts.list.retry}
              </Button>
            )}
            <ButtonLink kind="ink" size="large" to={`/main/bulk-order?failed=${batch._id}`}>
              {texts.list.fix(retryable, count)}
            </ButtonLink>
          </>
        )
      }
    >
      <p className={styles.note}>
        {[t.notCharged, ...(failures ? moneyLines(failures, t.returned) : [])].join(' ')}
      </p>
      <div
        ref={fadeAtEdges}
        className={styles.labels}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reached by keyboard
        tabIndex={0}
        role="group"
        aria-label={t.title(count)}
      >
        <table className={styles.table}>
          {!isPhone && (
            <thead>
              <tr>
                {heads.map(head => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          {[...byReason].map(([key, group]) => (
            <tbody key={key}>
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={isPhone ? 1 : heads.length}
                  className={styles.reasonHead}
                >
                  <GroupHead
                    label={group[0]!}
                    // The title says how many there are in all.
                    count={byReason.size > 1 ? group.length : null}
                  />
                </th>
              </tr>
              {group.map(label =>
                isPhone ? (
                  <NarrowRow key={label.row} label={label} />
                ) : (
                  <FailedLabelRow key={label.row} label={label} hasItem={hasItems} />
                ),
              )}
            </tbody>
          ))}
        </table>
      </div>
      {count > MAX_LISTED_FAILURES && (
        <p className={styles.note}>{t.more(count - MAX_LISTED_FAILURES)}</p>
      )}
    </Dialog>
  )
}

type GroupHeadProps = { label: FailedLabel; count: number | null }

const GroupHead = ({ label: { reason, retryable }, count }: GroupHeadProps) => (
  <FailureReason
    reason={reason}
    count={count}
    remedy={retryable ? remedyFor(reason) : null}
    mark={!retryable && <StatusPill tone="neutral">{t.notRetryable}</StatusPill>}
  />
)

type LabelProps = { label: FailedLabel }

function FailedLabelRow({ label, hasItem }: LabelProps & { hasItem: boolean }) {
  return (
    <tr>
      <td>{label.row}</td>
      {hasItem && <td className={styles.item}>{label.orderItemId}</td>}
      <td>
        <FailedLabelLink label={label} />
      </td>
      <td>
        <span className={styles.withChevron}>
          <FailedAddress label={label} />
          <FailedChevron />
        </span>
      </td>
    </tr>
  )
}

const NarrowRow = ({ label }: LabelProps) => (
  <tr>
    <td>
      <FailedLine label={label} place={t.rowOf(label.row)} />
    </td>
  </tr>
)
