import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { batchFailures } from '#contract/batch-failures.ts'
import type { BatchFailures } from '#contract/batch-failures.ts'
import type { FailedLabel } from '#contract/batches.ts'
import { FailedLine, FailureReason } from '#web/batches/FailedLines.tsx'
import { texts } from '#web/batches/texts.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { remedyFor } from '#web/orders/failure-remedies.ts'
import { failureLines, moneyLines, namedLabels } from './failure-lines.ts'
import { hideModal } from './progress-store.ts'
import styles from './Progress.module.css'

const t = texts.overlay
/** While an order runs; at its end the reasons are read once more. */
const REFRESH_MS = 3000

type FailuresOf = { orderId: string | null; failedCount: number; running: boolean }

/** Why labels of a bulk order failed. Undefined while unknown; not asked without `enabled`. */
export function useFailures(
  userId: string,
  { orderId, failedCount, running }: FailuresOf,
  enabled: boolean,
): BatchFailures | undefined {
  return useQuery({
    // The figures of the end belong to that end, not to an earlier moment.
    queryKey: [
      ...queryKeys.batch(userId, orderId ?? ''),
      'failures',
      running ? 'running' : failedCount,
    ],
    queryFn: ({ signal }) =>
      send(batchFailures, { params: { orderId: orderId ?? '' } }, { signal }),
    enabled,
    staleTime: 0,
    refetchInterval: running && REFRESH_MS,
  }).data
}

/**
 * Why labels failed, and where their money is. Always in the page, so that a screen reader hears
 * what comes in; only at the end of the order, because it changes all the time before.
 */
export function FailureSummary({
  failures,
  labels,
  ended,
  children,
}: {
  failures: BatchFailures | undefined
  labels: readonly FailedLabel[]
  ended: boolean
  /** Notices, above the reasons. */
  children: ReactNode
}) {
  const named = namedLabels(labels)
  const lines = failures ? failureLines(failures) : []
  const money = failures ? moneyLines(failures) : []
  return (
    <div className={styles.failures} aria-live={ended ? 'polite' : 'off'}>
      {money.map(line => (
        <p key={line} className={styles.money}>
          {line}
        </p>
      ))}
      {children}
      {lines.length > 0 && (
        <ul className={styles.reasons} aria-label={t.reasons}>
          {lines.map(({ reason, count }) => (
            <li key={reason}>
              <span className={styles.reason}>
                <FailureReason
                  reason={reason}
                  // The notice above counts those of a single reason.
                  count={lines.length > 1 ? count : null}
                  remedy={remedyFor(reason)}
                />
              </span>
              {named.get(reason)?.map(label => (
                <span key={label.row} className={styles.named}>
                  {' '}
                  <FailedLine
                    label={label}
                    place={t.rowOf(label.row, label.orderItemId)}
                    onFollow={hideModal}
                  />
                </span>
              ))}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
