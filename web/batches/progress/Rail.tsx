import type { CSSProperties } from 'react'
import type { Tone } from '#contract/progress.ts'
import styles from './Progress.module.css'

/** One failed label of ten thousand is still to be seen. */
const LEAST_FAILED_PERCENT = 1

type Props = {
  percentage: number
  tone: Tone
  /** Failed of all, 0 to 1. */
  failedShare: number
  name: string
}

/** How far it is: one rail, with the failed part in red at its end. */
export function Rail({ percentage, tone, failedShare, name }: Props) {
  const failed =
    failedShare > 0 && tone !== 'red'
      ? Math.min(percentage, Math.max(LEAST_FAILED_PERCENT, failedShare * 100))
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
      <span className={styles.part} data-tone="red" style={upTo(percentage)} />
      <span
        className={styles.part}
        data-cut={failed > 0 || undefined}
        style={upTo(percentage - failed)}
      />
    </div>
  )
}

/** A bar as long as the rail, moved out of sight but for its share: movement without layout. */
const upTo = (percent: number): CSSProperties => ({ transform: `translateX(${percent - 100}%)` })
