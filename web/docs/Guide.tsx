import type { ReactNode } from 'react'
import { EXAMPLES } from '#contract/openapi/examples.ts'
import { MESSAGE_TEXTS } from '#contract/openapi/messages.ts'
import { REFUSAL_MEANINGS } from '#contract/openapi/statuses.ts'
import { REFUSALS } from '#contract/refusals.ts'
import { WARNINGS } from '#contract/warnings.ts'
import { MESSAGE_DATA, WEBHOOK_TYPES } from '#contract/webhooks.ts'
import { FieldList } from './CallSection.tsx'
import { Code, Words } from './Code.tsx'
import { texts } from './content.ts'
import type { Block, Guide as GuideText } from './content.ts'
import { stepsOf } from './guide-steps.ts'
import { jsonText } from './json-text.ts'
import type { NamedObject } from './sections.ts'
import styles from './Docs.module.css'

export function Guide({ guide, children }: { guide: GuideText; children?: ReactNode }) {
  return (
    <section id={guide.id} className={styles.guide} aria-labelledby={`${guide.id}-title`}>
      <h2 id={`${guide.id}-title`}>{guide.title}</h2>
      {stepsOf(guide.blocks).map(({ texts: words, codes }) => (
        <div key={JSON.stringify([words, codes])} className={styles.columns}>
          <div>
            {words.map(block => (
              <BlockView key={JSON.stringify(block)} block={block} />
            ))}
          </div>
          {codes.length > 0 && (
            <div>
              {codes.map(block => (
                <BlockView key={JSON.stringify(block)} block={block} />
              ))}
            </div>
          )}
        </div>
      ))}
      {children}
    </section>
  )
}

function BlockView({ block }: { block: Block }) {
  if ('code' in block)
    return <Code label={block.label ?? texts.shell} code={block.code} runs={block.runs} />
  if ('answerOf' in block)
    return (
      <Code
        label={texts.example}
        status={200}
        code={jsonText(EXAMPLES[block.answerOf]?.response)}
      />
    )
  if ('p' in block)
    return (
      <p>
        <Words text={block.p} />
      </p>
    )
  return (
    <ul>
      {block.list.map(entry => (
        <li key={entry}>
          <Words text={entry} />
        </li>
      ))}
    </ul>
  )
}

function TableBox({ name, children }: { name: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls sideways must be reached by keyboard
    <div className={styles.tableBox} tabIndex={0} role="region" aria-label={name}>
      {children}
    </div>
  )
}

/** Every code of a refusal by its status, with what to do. */
export function CodesTable() {
  const codes = Object.entries(REFUSALS)
  const statuses = [...new Set(codes.map(([, { status }]) => status))].toSorted((a, b) => a - b)
  return (
    <TableBox name={texts.codes}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.code}</th>
            <th scope="col">{texts.meaning}</th>
            <th scope="col">{texts.remedy}</th>
          </tr>
        </thead>
        {statuses.map(status => (
          <tbody key={status}>
            <tr>
              <th scope="rowgroup" colSpan={3} id={`status-${status}`}>
                {status} · {REFUSAL_MEANINGS[status]}
              </th>
            </tr>
            {codes
              .filter(([, refusal]) => refusal.status === status)
              .map(([code, { meaning, remedy }]) => (
                <tr key={code}>
                  <td>
                    <code>{code}</code>
                  </td>
                  <td>
                    <Words text={meaning} />
                  </td>
                  <td>
                    <Words text={remedy} />
                  </td>
                </tr>
              ))}
          </tbody>
        ))}
      </table>
    </TableBox>
  )
}

/** What a purchase that was accepted tells to check. */
export function WarningsTable() {
  return (
    <TableBox name={texts.warnings}>
      <table>
        <caption className={styles.caption}>{texts.warnings}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.code}</th>
            <th scope="col">{texts.meaning}</th>
            <th scope="col">{texts.remedy}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(WARNINGS).map(([code, [meaning, remedy]]) => (
            <tr key={code}>
              <td>
                <code>{code}</code>
              </td>
              <td>{meaning}</td>
              <td>{remedy}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}

/** Every type of message, with the fields of its data. */
export function MessagesTable() {
  return (
    <TableBox name={texts.messages}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.type}</th>
            <th scope="col">{texts.sent}</th>
            <th scope="col">{texts.data}</th>
          </tr>
        </thead>
        <tbody>
          {WEBHOOK_TYPES.map(type => (
            <tr key={type}>
              <td>
                <code>{type}</code>
              </td>
              <td>{MESSAGE_TEXTS[type]}</td>
              <td>{Object.keys(MESSAGE_DATA[type].shape).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}

export function ObjectSection({ named }: { named: NamedObject }) {
  return (
    <section
      id={`object-${named.name}`}
      className={styles.call}
      aria-labelledby={`object-${named.name}-title`}
    >
      <h3 id={`object-${named.name}-title`}>{named.name}</h3>
      <FieldList rows={named.rows} isAnswer={!named.isSent} />
    </section>
  )
}
