import type { FieldRow } from './fields.ts'
import { texts } from './texts.ts'
import styles from './Fields.module.css'

/** Fields of a request below their title; nothing without fields. */
export function Fields({ title, rows }: { title: string; rows: readonly FieldRow[] }) {
  if (rows.length === 0) return null
  return (
    <>
      <h4>{title}</h4>
      <FieldList rows={rows} />
    </>
  )
}

type FieldListProps = {
  rows: readonly FieldRow[]
  isAnswer?: boolean
  /** Across the page: what a field means stands beside its name. */
  isWide?: boolean
}

/** Fields of an answer are always there unless their text says when not. */
export function FieldList({ rows, isAnswer, isWide }: FieldListProps) {
  return (
    <dl className={styles.fields} data-wide={isWide ? '' : undefined}>
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
