import type { ReactNode } from 'react'
import type { Tone } from './tone.ts'
import styles from './StatusPill.module.css'

type StatusPillProps = {
  tone: Tone
  /** Green has a fill too: where it does not mean that nothing is left to do. */
  filled?: boolean
  /** A word with a dot in every tone: one form for all states of a list. */
  quiet?: boolean | undefined
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
