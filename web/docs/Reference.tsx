import type { ReactNode } from 'react'
import { REFUSAL_MEANINGS } from '#contract/openapi/statuses.ts'
import { REFUSALS } from '#contract/refusals.ts'
import { WARNINGS } from '#contract/warnings.ts'
import { Words } from './Code.tsx'
import { FieldList } from './Fields.tsx'
import type { NamedObject } from './sections.ts'
import { CodesTable } from './Tables.tsx'
import { texts } from './texts.ts'
import page from './Docs.module.css'
import styles from './Reference.module.css'

/** The shapes that calls share, each folded. */
export function Objects({ objects }: { objects: readonly NamedObject[] }) {
  return (
    <section aria-labelledby="objects">
      <h2 id="objects" className={page.tag}>
        {texts.objects}
      </h2>
      <p className={page.tagText}>{texts.objectsLead}</p>
      <div className={styles.folds}>
        {objects.map(({ name, rows, isSent }) => (
          <Fold key={name} id={`object-${name}`} title={name} note={texts.fieldCount(rows.length)}>
            <FieldList rows={rows} isAnswer={!isSent} isWide />
          </Fold>
        ))}
      </div>
    </section>
  )
}

/** Every code of a refusal by its status, folded, and those of warnings: with what to do. */
export function Codes() {
  const codes = Object.entries(REFUSALS)
  const statuses = [...new Set(codes.map(([, { status }]) => status))].toSorted((a, b) => a - b)
  const warnings = Object.entries(WARNINGS)
  return (
    <section aria-labelledby="codes">
      <h2 id="codes" className={page.tag}>
        {texts.codes}
      </h2>
      <p className={page.tagText}>
        <Words text={texts.codesLead} />
      </p>
      <div className={styles.folds}>
        {statuses.map(status => {
          const ofStatus = codes.filter(([, refusal]) => refusal.status === status)
          return (
            <Fold
              key={status}
              id={`status-${status}`}
              title={String(status)}
              text={REFUSAL_MEANINGS[status]}
              note={texts.codeCount(ofStatus.length)}
            >
              <CodesTable
                name={String(status)}
                rows={ofStatus.map(([code, { meaning, remedy }]) => [code, meaning, remedy])}
              />
            </Fold>
          )
        })}
      </div>
      <h3 id="warnings" className={styles.warnings}>
        {texts.warnings}
      </h3>
      <p className={page.tagText}>{texts.warningsLead}</p>
      <div className={styles.plain}>
        <CodesTable
          name={texts.warnings}
          rows={warnings.map(([code, [meaning, remedy]]) => [code, meaning, remedy])}
        />
      </div>
    </section>
  )
}

type FoldProps = { id: string; title: string; text?: string; note: string; children: ReactNode }

/** The id is on what is inside: a browser opens what is folded around the target of a link. */
function Fold({ id, title, text, note, children }: FoldProps) {
  return (
    <details className={styles.fold}>
      <summary>
        <h3>{title}</h3>
        {text !== undefined && <span>{text}</span>}
        <small>{note}</small>
      </summary>
      <div id={id}>{children}</div>
    </details>
  )
}
