import { Card } from './Card.tsx'
import styles from './HowItWorks.module.css'

type HowItWorksProps = {
  title: string
  steps: readonly { name: string; text: string }[]
}

/** Explains a page that has no rows yet: what happens, in a few numbered steps. */
export function HowItWorks({ title, steps }: HowItWorksProps) {
  return (
    <Card title={title}>
      <ol className={styles.steps}>
        {steps.map(({ name, text }) => (
          <li key={name}>
            <span className={styles.name}>{name}</span>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
