import type { ReactNode } from 'react'
import type { Tone } from './tone.ts'
import styles from './StatusPill.module.css'

type StatusPillProps = {
  tone: Tone
  /** Green has a fill too: where it does not mean that nothing is left to do. */
  filled?: boolean
  /** Any tone as a word with a dot, where little of it is left to do. */
  quiet?: boolean
  children: ReactNode
}

/** For example `<StatusPill tone={TONE[order.status]}>Completed</StatusPill>`. */
export function StatusPill({ tone, filled, quiet, children }: StatusPillProps) {
  return (
    <span className={styles.pill} data-tone={tone} data-filled={filled} data-quiet={quiet}>
      {children}
    </span>
  )
}
