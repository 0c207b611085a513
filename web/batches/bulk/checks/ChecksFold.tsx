import type { ReactNode } from 'react'
import { texts } from '#web/batches/bulk/texts.ts'
import styles from '#web/batches/bulk/Fold.module.css'

/** On phones, what is checked above the rows is one line until it is opened. `facts`: what is in it. */
export const ChecksFold = ({
  facts,
  children,
}: {
  facts: readonly string[]
  children: ReactNode
}) =>
  facts.length === 0 ? (
    children
  ) : (
    <details className={styles.fold}>
      <summary>
        <span>
          <span className="visually-hidden">{texts.checks.title}: </span>
          {facts.join(' · ')}
        </span>
      </summary>
      <div>{children}</div>
    </details>
  )
