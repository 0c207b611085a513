import type { CSSProperties } from 'react'
import type { StatusTone } from '#web/batches/batch-view.ts'
import styles from './Progress.module.css'

/** One failed label of ten thousand is still to be seen. */
const MIN_FAILED_PERCENT = 1

type ProgressBarProps = {
  percentage: number
  tone: StatusTone
  /** Failed of all, 0 to 1. */
  failedShare: number
  name: string
}

/** How far it is: one rail, with the failed part in red at its end. */
export function ProgressBar({ percentage, tone, failedShare, name }: ProgressBarProps) {
  const failed =
    failedShare > 0 && tone !== 'red'
      ? Math.min(percentage, Math.max(MIN_FAILED_PERCENT, failedShare * 100))
      : 0
  return (
    <div
      className={styles.rail}
      data-tone={tone}
      role="progressbar"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percentage}
    >
      <span className={styles.part} data-tone="red" style={barStyle(percentage)} />
      <span
        className={styles.part}
        data-cut={failed > 0 || undefined}
        style={barStyle(percentage - failed)}
      />
    </div>
  )
}

/** A bar as long as the rail, moved out of sight but for its share: movement without layout. */
const barStyle = (percent: number): CSSProperties => ({
  transform: `translateX(${percent - 100}%)`,
})
