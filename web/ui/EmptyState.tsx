import type { ReactNode } from 'react'
import { Sentences } from './Sentences.tsx'
import styles from './ListTable.module.css'

export type EmptyStateProps = {
  title: string
  text?: ReactNode
  action?: ReactNode
  /** A drawing of what will be here; the block then fills most of the window. */
  picture?: ReactNode
  /** h3 in a list, h2 directly below the page title, h1 for a whole page. */
  heading?: 'h1' | 'h2' | 'h3'
}

/** In place of a list without rows, or of a page that cannot be shown. */
export function EmptyState({
  title,
  text,
  action,
  picture,
  heading: Heading = 'h3',
}: EmptyStateProps) {
  return (
    <div className={styles.empty} data-picture={picture ? 'large' : undefined}>
      {picture && (
        <div className={styles.emptyPicture} aria-hidden="true">
          {picture}
        </div>
      )}
      <Heading className={styles.emptyTitle}>{title}</Heading>
      {text && (
        <p className={styles.emptyText}>
          {typeof text === 'string' ? <Sentences text={text} /> : text}
        </p>
      )}
      {action && <div className={styles.emptyActions}>{action}</div>}
    </div>
  )
}
