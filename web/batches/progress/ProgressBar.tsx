import type { CSSProperties } from 'react'
import type { StatusTone } from '#web/batches/batch-view.ts'
import styles from './Progress.module.css'

/** One failed label of 10,000 is still visible. */
const MIN_FAILED_PERCENT = 1

type ProgressBarProps = {
  percentage: number
  /** What a screen reader says in place of the percentage. */
  valueText: string
  tone: StatusTone
  /** Failed share, 0 to 1. */
  failedShare: number
  name: string
}

export function ProgressBar({ percentage, valueText, tone, failedShare, name }: ProgressBarProps) {
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
      aria-valuetext={valueText}
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

/** The bar has full length and is shifted out of view: animation without layout. */
const barStyle = (percent: number): CSSProperties => ({
  transform: `translateX(${percent - 100}%)`,
})
