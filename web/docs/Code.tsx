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
        {status !== undefined && <b data-refused={status >= 400 ? '' : undefined}>{status}</b>}
        {label}
        <button type="button" data-copy="">
          {texts.copy}
        </button>
      </p>
      <pre>
        <code>{lined(code)}</code>
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

/** Characters of a line that the narrowest phone shows whole. */
const NARROW_LINE = 36

/** What wraps of a long line is below it, two letters further in (Code.module.css). The text keeps its line ends. */
const lined = (code: string) =>
  code.split(/(?<=\n)/).map((line, at) =>
    line.length <= NARROW_LINE ? (
      line
    ) : (
      <span key={at} data-indent={line.search(/\S/)}>
        {breakable(line)}
      </span>
    ),
  )

/** A short value in quotes and its comma wrap together. Addresses wrap after a slash, a question mark or an ampersand. */
const breakable = (line: string) => {
  const [, before = '', value, end = ''] = /^(\s*"\w+": )("[^"\s]{1,28}",?)(\s*)$/.exec(line) ?? []
  if (value !== undefined)
    return (
      <>
        {before}
        <span>{value}</span>
        {end}
      </>
    )
  return line.split(/(?<=\w\/|[?&])(?=[\w$])/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

/** Text whose parts in backticks are code. */
export function Words({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? <code key={part + String(at)}>{part}</code> : part))
}
