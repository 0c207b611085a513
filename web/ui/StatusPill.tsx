import type { ReactNode } from 'react'
import type { Tone } from './tone.ts'
import styles from './StatusPill.module.css'

/** For example `<StatusPill tone={TONE[order.status]}>Completed</StatusPill>`. */
export function StatusPill({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={styles.pill} data-tone={tone}>
      {children}
    </span>
  )
}
