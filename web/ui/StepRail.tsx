import { IconCheck, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './StepRail.module.css'

/** `stopped`: it ended here without success. */
export type StepState = 'done' | 'current' | 'ahead' | 'stopped'
export type RailStep = { name: string; state: StepState; text?: ReactNode }

/** Steps beside each other, joined by a rail. `live` announces changes. */
export function StepRail({ steps, live = false }: { steps: RailStep[]; live?: boolean }) {
  return (
    <ol className={styles.steps} aria-live={live ? 'polite' : undefined}>
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
          {text !== undefined && <span className={styles.text}>{text}</span>}
        </li>
      ))}
    </ol>
  )
}
