import type { ReactNode } from 'react'
import { texts } from '#web/batches/bulk/texts.ts'
import styles from '#web/batches/bulk/Fold.module.css'

type ChecksFoldProps = {
  /** What is in it. */
  facts: readonly string[]
  /** It goes on where the sentence about the errors ends. */
  belowFaults: boolean
  children: ReactNode
}

/** On phones, what is checked above the rows is one line until it is opened. */
export const ChecksFold = ({ facts, belowFaults, children }: ChecksFoldProps) =>
  facts.length === 0 ? (
    children
  ) : (
    <details className={styles.fold} data-below-faults={belowFaults || undefined}>
      <summary>
        <span>
          <span className="visually-hidden">{texts.checks.title}: </span>
          {facts.join(' · ')}
        </span>
      </summary>
      <div>{children}</div>
    </details>
  )
