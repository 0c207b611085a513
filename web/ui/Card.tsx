/** The flat card, the dark ticket with its torn edge, figures divided by perforation. */
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { useIsPhone } from './use-viewport.ts'
import styles from './Card.module.css'

type CardProps = {
  children: ReactNode
  /** Becomes the h2 of the card. */
  title?: string
  /** At the end of the title's line. */
  action?: ReactNode
  className?: string
  /** On phones the card is closed at first. `note` is the fact that stands beside its title then. */
  folds?: boolean
  note?: ReactNode
}

export function Card({ children, title, action, className, folds, note }: CardProps) {
  const phone = useIsPhone()
  if (folds && phone)
    return (
      <section className={cx(styles.card, className)} aria-label={title}>
        <details className={styles.fold}>
          <summary>
            <h2 className={styles.title}>{title}</h2>
            <span className={styles.note}>{note}</span>
          </summary>
          {action}
          {children}
        </details>
      </section>
    )
  return (
    <section className={cx(styles.card, className)} aria-label={title}>
      {title && (
        <div className={styles.bar}>
          <h2 className={styles.title}>{title}</h2>
          {action && <div className={styles.action}>{action}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

/** Its content uses the dark palette. */
export function Ticket({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={cx(styles.ticket, className)} data-surface="hero">
      {children}
    </div>
  )
}

/** For example `[{name: 'Total', value: '278'}]`. */
export function FigureList({ items }: { items: { name: string; value: ReactNode }[] }) {
  return (
    <dl className={styles.figures}>
      {items.map(({ name, value }) => (
        <div key={name} className={styles.figure}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
