/** Failed labels below the reason that they share: the same in the progress window and in the list's dialog. */
import { IconAlertCircle, IconChevronRight, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { FailedLabel } from '#contract/batches.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { texts } from './texts.ts'
import styles from './FailedLines.module.css'

type FailureReasonProps = {
  reason: string
  /** How many labels, where the reason is one of several. */
  count: number | null
  /** What to do about it. */
  remedy: string | null
  /** Behind the reason. */
  mark?: ReactNode
}

/** A reason is said once, above the labels that failed for it. */
export function FailureReason({ reason, count, remedy, mark }: FailureReasonProps) {
  const isOpen = reason === texts.overlay.checking
  const Icon = isOpen ? IconClock : IconAlertCircle
  return (
    <span className={styles.head} data-tone={isOpen ? 'neutral' : 'red'}>
      <Icon aria-hidden="true" />
      <span className={styles.reason}>{reason}</span> {mark}
      {count !== null && (
        <>
          <span className={styles.count}>{texts.overlay.reasonCount(count)}</span>{' '}
        </>
      )}
      {remedy && <span className={styles.remedy}>{remedy}</span>}
    </span>
  )
}

type FailedLabelProps = { label: FailedLabel; onFollow?: () => void }

/** Its area is the whole row, which is positioned. */
export function FailedLabelLink({ label: { labelId, receiver }, onFollow }: FailedLabelProps) {
  const { pathOf } = useShownAccount()
  return (
    <Link
      to={pathOf(`/main/orders/${labelId}`) ?? '.'}
      className={styles.link}
      onClick={() => onFollow?.()}
    >
      {receiver || texts.failures.noName}
    </Link>
  )
}

/** City, state and ZIP stay on one line. */
export function FailedAddress({ label: { address } }: FailedLabelProps) {
  const at = address.lastIndexOf(', ') + 1
  return (
    <span className={styles.address}>
      {address.slice(0, at)} <span className={styles.place}>{address.slice(at).trim()}</span>
    </span>
  )
}

export const FailedChevron = () => (
  <IconChevronRight aria-hidden="true" className={styles.chevron} />
)

/** One failed label outside of columns. `place`: its row in the file. */
export const FailedLine = ({ label, place, onFollow }: FailedLabelProps & { place: string }) => (
  <span className={styles.line}>
    <FailedLabelLink label={label} {...(onFollow && { onFollow })} />{' '}
    <FailedAddress label={label} />{' '}
    <span className={styles.rowOf}>
      {place}
      <FailedChevron />
    </span>
  </span>
)
