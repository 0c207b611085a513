/** The figures at the top of a dashboard: one on a ticket, the others on cards. */
import type { ReactNode } from 'react'
import { Card, Ticket } from './Card.tsx'
import styles from './FigureCards.module.css'

type FigureCardsProps = {
  name: string
  /** Cards of the same weight, without a ticket: two beside each other on phones. */
  even?: boolean
  children: ReactNode
}

export function FigureCards({ name, even, children }: FigureCardsProps) {
  return (
    <section className={styles.cards} aria-label={name} data-even={even || undefined}>
      {children}
    </section>
  )
}

/** `children` are shown below the value. */
type FigureCardProps = { name: string; value: ReactNode; children?: ReactNode }

/** The most important figure. */
export function FigureTicket({
  name,
  value,
  children,
  link,
}: FigureCardProps & { link?: ReactNode }) {
  const heading = <h2 className={styles.name}>{name}</h2>
  return (
    <Ticket className={styles.ticket}>
      {link ? (
        <div className={styles.head}>
          {heading}
          {link}
        </div>
      ) : (
        heading
      )}
      <p className={styles.value}>{value}</p>
      {children}
    </Ticket>
  )
}

export function FigureCard({ name, value, children }: FigureCardProps) {
  return (
    <Card className={styles.card}>
      <h2 className={styles.name}>{name}</h2>
      <p className={styles.value}>{value}</p>
      {children}
    </Card>
  )
}
