import { IconCheck, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './StepRail.module.css'

/** `stopped`: it ended here without success. */
export type StepState = 'done' | 'current' | 'ahead' | 'stopped'
export type RailStep = { name: ReactNode; state: StepState; text?: ReactNode }

type StepRailProps = {
  steps: readonly RailStep[]
  /** Accessible name, where no heading names the steps. */
  name?: string
  /** One below the other, for texts of a sentence. */
  vertical?: boolean
  /** Announces changes. */
  live?: boolean
}

/** Steps beside each other, joined by a rail. */
export function StepRail({ steps, name: listName, vertical = false, live = false }: StepRailProps) {
  return (
    <ol
      className={styles.steps}
      aria-label={listName}
      aria-live={live ? 'polite' : undefined}
      data-vertical={vertical || undefined}
    >
      {steps.map(({ name, state, text }, at) => (
        <li
          key={at}
          className={styles.step}
          data-state={state}
          aria-current={state === 'current' ? 'step' : undefined}
        >
          <span className={styles.mark} aria-hidden="true">
            {state === 'done' ? <IconCheck /> : state === 'stopped' ? <IconX /> : null}
          </span>
          <span className={styles.name}>{name}</span>
          {text !== undefined && <div className={styles.text}>{text}</div>}
        </li>
      ))}
    </ol>
  )
}
