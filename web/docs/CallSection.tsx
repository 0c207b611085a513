import { Code, Words } from './Code.tsx'
import { FieldList, Fields } from './Fields.tsx'
import { jsonText } from './json-text.ts'
import { Method } from './Method.tsx'
import type { DocumentedCall } from './sections.ts'
import { LANGUAGES } from './snippets.ts'
import { texts } from './texts.ts'
import styles from './Call.module.css'

/** One call: what it does, what it takes and answers, and code that makes it. */
export function CallSection({ call }: { call: DocumentedCall }) {
  return (
    <article id={call.name} className={styles.call} aria-labelledby={`${call.name}-title`}>
      <h3 id={`${call.name}-title`}>{call.title}</h3>
      <p className={styles.request}>
        <Method method={call.method} />
        <span>{call.path}</span>
      </p>
      <p className={styles.facts}>
        <code>{call.name}</code> · {texts.scope} <code>{call.scope}</code>
      </p>
      <div className={styles.columns}>
        <About call={call} />
        <div className={styles.samples}>
          {LANGUAGES.map(({ id, write }) => (
            <Code key={id} language={id} label={texts.languages[id]} code={write(call)} />
          ))}
          {call.example.response !== undefined && (
            <Code
              label={texts.example}
              status={call.statuses[0]?.status}
              code={jsonText(call.example.response)}
              folds
            />
          )}
        </div>
        <div>
          <Fields title={texts.path} rows={call.pathFields} />
          <Fields title={texts.query} rows={call.queryFields} />
          <Fields title={texts.headers} rows={call.headerFields} />
          <Fields title={texts.body} rows={call.bodyFields} />
          <h4>{texts.answer}</h4>
          {call.fileTypes.length > 0 ? (
            <p className={styles.text}>
              {texts.file}: {call.fileTypes.join(', ')}
            </p>
          ) : (
            <FieldList rows={call.answerFields} isAnswer />
          )}
          <h4>{texts.statuses}</h4>
          <Statuses call={call} />
        </div>
      </div>
    </article>
  )
}

function About({ call: { title, summary, text } }: { call: DocumentedCall }) {
  if (summary === title && text === '') return null
  return (
    <div>
      {summary !== title && <p className={styles.summary}>{summary}</p>}
      {text !== '' && (
        <p className={styles.text}>
          <Words text={text} />
        </p>
      )}
    </div>
  )
}

function Statuses({ call }: { call: DocumentedCall }) {
  return (
    <ul className={styles.statuses}>
      {call.statuses.map(({ status, text, codes }) => (
        <li key={status}>
          <b>{status < 400 ? status : <a href={`#status-${status}`}>{status}</a>}</b>
          <span>
            {text}
            {codes.length > 0 && ' · '}
            <Words text={codes.map(code => `\`${code}\``).join(', ')} />
          </span>
        </li>
      ))}
    </ul>
  )
}
