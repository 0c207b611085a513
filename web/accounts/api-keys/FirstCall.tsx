import type { ReactNode } from 'react'
import { currentKey } from '#contract/api-keys.ts'
import { useUser } from '#web/client/session.ts'
import { Card } from '#web/ui/Card.tsx'
import { codeParts } from '#web/ui/code-parts.ts'
import { CopyButton, CopyText } from '#web/ui/CopyText.tsx'
import { texts } from './texts.ts'
import styles from './FirstCall.module.css'

const t = texts.firstCall

/** A command that tries a key, and what a program needs besides it. */
export function FirstCall() {
  const { _id: userId } = useUser()
  const command = `curl ${location.origin}${currentKey.path} \\\n  -H "Authorization: Bearer ${t.key}"`
  return (
    <Card title={t.title}>
      <p className={styles.lead}>{t.lead(t.key)}</p>
      <div className={styles.code} data-surface="hero">
        <pre>
          <code>{colored(command)}</code>
        </pre>
        <CopyButton size="small" value={command} name={t.copyCommand}>
          {t.copy}
        </CopyButton>
      </div>
      <p className={styles.hint}>
        {t.userId} <CopyText value={userId} name={t.copyUserId(userId)} />. {t.userIdHint}
      </p>
    </Card>
  )
}

/** Colored like the code of the API reference. */
function colored(code: string): ReactNode[] {
  const nodes: ReactNode[] = []
  let done = 0
  for (const { kind, start, end } of codeParts(code)) {
    nodes.push(
      code.slice(done, start),
      <span key={start} data-kind={kind}>
        {code.slice(start, end)}
      </span>,
    )
    done = end
  }
  return [...nodes, code.slice(done)]
}
