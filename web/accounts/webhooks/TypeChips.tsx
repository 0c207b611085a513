import type { WebhookType } from '#contract/webhooks.ts'
import styles from './Webhooks.module.css'

/** The names of events beside each other, as programs write them. */
export function TypeChips({ types }: { types: readonly WebhookType[] }) {
  return (
    <span className={styles.chips}>
      {types.map(type => (
        <span key={type}>{type}</span>
      ))}
    </span>
  )
}
