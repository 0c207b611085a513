import { cx } from './cx.ts'
import styles from './Logo.module.css'

/** A square with two notches on each side. */
const TICKET =
  'M3 1h18a2 2 0 0 1 2 2v2.2a2.3 2.3 0 0 0 0 4.6v4.4a2.3 2.3 0 0 0 0 4.6V21a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2'
  + 'v-2.2a2.3 2.3 0 0 0 0-4.6V9.8a2.3 2.3 0 0 0 0-4.6V3a2 2 0 0 1 2-2Z'

/** A ticket with two equal bars. Decoration: the name is beside it or on its link. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg
      className={cx(styles.mark, className)}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path className={styles.ticket} d={TICKET} />
      <path className={styles.bar} d="M6.5 7h11v3.4h-11zM6.5 13.6h11V17h-11z" />
    </svg>
  )
}

/** `compact`: only screen readers get the name. */
export function Logo({ name, compact = false }: { name: string; compact?: boolean }) {
  return (
    <span className={styles.logo}>
      <Mark />
      <span className={compact ? 'visually-hidden' : styles.name}>{name}</span>
    </span>
  )
}
