import { texts } from './content.ts'
import styles from './Code.module.css'

/** Code with a button that copies it. `runs`: a test runs it. */
export function Code({
  code,
  language,
  runs,
}: {
  code: string
  language?: string
  runs?: boolean
}) {
  return (
    <div
      className={styles.code}
      data-surface="hero"
      data-language={language}
      data-runs={runs ? '' : undefined}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls sideways must be reached by keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      <button type="button" className={styles.copy} data-copy="" data-copied={texts.copied}>
        {texts.copy}
      </button>
    </div>
  )
}

/** Text whose parts in backticks are code. */
export function Words({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? <code key={part + String(at)}>{part}</code> : part))
}
