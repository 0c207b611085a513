import styles from './NumberedSteps.module.css'

type NumberedStepsProps = {
  /** Accessible name, where no heading names the steps. */
  name: string
  steps: readonly { title: string; text: string }[]
}

/** How something works, in a few steps: one strip, below each other on phones. */
export function NumberedSteps({ name, steps }: NumberedStepsProps) {
  return (
    <ol className={styles.steps} aria-label={name}>
      {steps.map(({ title, text }) => (
        <li key={title}>
          <span className={styles.title}>{title}</span>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  )
}
