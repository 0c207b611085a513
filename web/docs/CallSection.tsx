import { Code, Words } from './Code.tsx'
import { texts } from './content.ts'
import type { FieldRow } from './fields.ts'
import { jsonText } from './json-text.ts'
import type { DocumentedCall } from './sections.ts'
import { LANGUAGES } from './snippets.ts'
import styles from './Docs.module.css'

/** One call: what it does, what it takes and answers, and code that makes it. */
export function CallSection({ call }: { call: DocumentedCall }) {
  return (
    <article id={call.name} className={styles.call} aria-labelledby={`${call.name}-title`}>
      <h3 id={`${call.name}-title`}>{call.summary}</h3>
      <p className={styles.request}>
        <span className={styles.method}>{call.method}</span>
        <span>{call.path}</span>
      </p>
      <p className={styles.facts}>
        <code>{call.name}</code> · {texts.scope} <code>{call.scope}</code>
      </p>
      <div className={styles.columns}>
        <div>
          {call.text !== '' && (
            <p className={styles.tagText}>
              <Words text={call.text} />
            </p>
          )}
          <Fields title={texts.path} rows={call.pathFields} />
          <Fields title={texts.query} rows={call.queryFields} />
          <Fields title={texts.headers} rows={call.headerFields} />
          <Fields title={texts.body} rows={call.bodyFields} />
          <h4>{texts.answer}</h4>
          {call.fileTypes.length > 0 ? (
            <p className={styles.tagText}>
              {texts.file}: {call.fileTypes.join(', ')}
            </p>
          ) : (
            <FieldList rows={call.answerFields} isAnswer />
          )}
          <h4>{texts.statuses}</h4>
          <ul className={styles.statuses}>
            {call.statuses.map(({ status, text, codes }) => (
              <li key={status}>
                <b>{status < 400 ? status : <a href={`#status-${status}`}>{status}</a>}</b> {text}
                {codes.length > 0 && ' · '}
                <Words text={codes.map(code => `\`${code}\``).join(', ')} />
              </li>
            ))}
          </ul>
        </div>
        <div className={styles.samples}>
          {LANGUAGES.map(({ id, write }) => (
            <Code key={id} language={id} label={texts.languages[id]} code={write(call)} />
          ))}
          {call.example.response !== undefined && (
            <Code
              label={texts.example}
              status={call.statuses[0]?.status}
              code={jsonText(call.example.response)}
            />
          )}
        </div>
      </div>
    </article>
  )
}

function Fields({ title, rows }: { title: string; rows: readonly FieldRow[] }) {
  if (rows.length === 0) return null
  return (
    <>
      <h4>{title}</h4>
      <FieldList rows={rows} />
    </>
  )
}

/** Fields of an answer are always there unless their text says when not. */
export function FieldList({ rows, isAnswer }: { rows: readonly FieldRow[]; isAnswer?: boolean }) {
  return (
    <dl className={styles.fields}>
      {rows.map(row => (
        <div key={row.name}>
          <dt>
            {row.name}{' '}
            <span>
              {row.object === null ? (
                row.type
              ) : (
                <>
                  {row.type} <a href={`#object-${row.object}`}>{row.object}</a>
                </>
              )}
            </span>{' '}
            {row.isRequired && !isAnswer && <b>{texts.required}</b>}
          </dt>
          <dd>
            {row.text}
            {row.limits !== '' && <span>{row.limits}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
