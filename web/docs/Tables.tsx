import type { ReactNode } from 'react'
import { MESSAGE_TEXTS } from '#contract/openapi/messages.ts'
import { MESSAGE_DATA, WEBHOOK_TYPES } from '#contract/webhooks.ts'
import { Words } from './Code.tsx'
import { texts } from './texts.ts'
import styles from './Tables.module.css'

type TableProps = { name: string; heads: readonly string[]; children: ReactNode }

function Table({ name, heads, children }: TableProps) {
  return (
    <table className={styles.table} aria-label={name}>
      <thead>
        <tr>
          {heads.map(head => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

/** What codes mean, and what to do. */
export function CodesTable({
  name,
  rows,
}: {
  name: string
  rows: readonly (readonly [code: string, meaning: string, remedy: string])[]
}) {
  return (
    <Table name={name} heads={[texts.code, texts.meaning, texts.remedy]}>
      {rows.map(([code, meaning, remedy]) => (
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
    </Table>
  )
}

/** Every type of message, with the fields of its data. */
export function MessagesTable() {
  return (
    <Table name={texts.messages} heads={[texts.type, texts.sent, texts.data]}>
      {WEBHOOK_TYPES.map(type => (
        <tr key={type}>
          <td>
            <code>{type}</code>
          </td>
          <td>{MESSAGE_TEXTS[type]}</td>
          <td>{Object.keys(MESSAGE_DATA[type].shape).join(', ')}</td>
        </tr>
      ))}
    </Table>
  )
}
