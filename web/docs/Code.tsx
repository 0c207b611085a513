import { Fragment } from 'react'
import { foldedLines } from './folded-lines.ts'
import { texts } from './texts.ts'
import styles from './Code.module.css'

type CodeProps = {
  code: string
  /** What the code is, above it: 'curl', 'Example response'. */
  label: string
  /** Of an answer. */
  status?: number
  /** One of the languages that the reader chooses from. */
  language?: string
  /** Shows only the first lines of long code until the reader asks for all. */
  folds?: boolean
  /** A test runs it. */
  runs?: boolean
}

/** Code below its name and a button that copies it. */
export function Code({ code, label, status, language, folds, runs }: CodeProps) {
  const lines = folds ? foldedLines(code) : null
  return (
    <div
      className={styles.code}
      data-surface="hero"
      data-language={language}
      data-runs={runs ? '' : undefined}
      data-folded={lines === null ? undefined : ''}
    >
      <p className={styles.head}>
        {status !== undefined && <b>{status}</b>}
        {label}
        <button type="button" data-copy="">
          {texts.copy}
        </button>
      </p>
      <pre>
        <code>{breakable(code)}</code>
      </pre>
      {lines !== null && (
        <button
          type="button"
          className={styles.all}
          aria-expanded="false"
          data-fold-button=""
          data-fewer={texts.showFewer}
        >
          {texts.showAll(lines)}
        </button>
      )}
    </div>
  )
}

/** Addresses wrap after a slash, a question mark or an ampersand. */
const breakable = (code: string) =>
  code.split(/(?<=\w\/|[?&])(?=[\w$])/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/** Text whose parts in backticks are code. */
export function Words({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? <code key={part + String(at)}>{part}</code> : part))
}
