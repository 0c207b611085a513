import styles from './Logo.module.css'

/** The mark: a ticket with notched sides holding two equal bars. Decoration; the name stands beside it or on its link. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg className={[styles.mark, className].filter(Boolean).join(' ')} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path className={styles.ticket} d="M2 1h20a1 1 0 0 1 1 1v3a2 2 0 0 0 0 4v0a2 2 0 0 0 0 0v1a2 2 0 0 0 0 4v1a2 2 0 0 0 0 4v3a1 1 0 0 1-1 1H2a1 1 0 0 1-1-1v-3a2 2 0 0 0 0-4v-1a2 2 0 0 0 0-4V9a2 2 0 0 0 0-4V2a1 1 0 0 1 1-1Z" />
      <rect className={styles.bar} x="6" y="7" width="12" height="3.4" rx="1" />
      <rect className={styles.bar} x="6" y="13.6" width="12" height="3.4" rx="1" />
    </svg>
  )
}

/** The mark and the name. `compact` keeps the name for readers only. */
export function Logo({ name, compact = false }: { name: string; compact?: boolean }) {
  return <span className={styles.logo}><Mark /><span className={compact ? 'visually-hidden' : styles.name}>{name}</span></span>
}
