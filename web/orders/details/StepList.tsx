import type { Tone } from '#web/ui/tone.ts'
import { DateTime } from '#web/ui/Value.tsx'
import styles from './Details.module.css'

type TimelineItem = {
  /** Null for a step that is still to come. */
  at: string | null
  tone: Tone
  text: string
  /** At the end of the line, such as an amount. */
  sum?: string
  /** The sum leaves the balance as it was. */
  isSumQuiet?: boolean
  /** After the moment: 'by Dana Cole', '· Fresno, CA'. */
  note?: string
  /** Text of another party; `name` says whose, for screen readers. */
  detail?: { name: string; text: string }
}

/** The history of a label, oldest first. */
export function StepList({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol className={styles.steps}>
      {items.map(({ at, tone, text, sum, isSumQuiet, note, detail }, index) => (
        <li
          key={index}
          className={styles.step}
          data-tone={tone}
          data-next={at === null || undefined}
        >
          <span className={styles.what}>{text}</span>
          {sum !== undefined && (
            <span className={styles.sum} data-quiet={isSumQuiet || undefined}>
              {sum}
            </span>
          )}
          {at !== null && (
            <span className={styles.when}>
              <DateTime at={at} exact />
              {note && ` ${note}`}
            </span>
          )}
          {detail && (
            <p className={styles.detail}>
              <span className="visually-hidden">{detail.name}</span> {detail.text}
            </p>
          )}
        </li>
      ))}
    </ol>
  )
}
