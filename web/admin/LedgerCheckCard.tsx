/** Checks the books on demand, because the check reads all of them. */
import { useState } from 'react'
import type { ResponseData } from '#contract/endpoint.ts'
import { invariants } from '#contract/ledger.ts'
import { send } from '#web/client/send.ts'
import { useAction } from '#web/client/use-action.ts'
import { announce } from '#web/ui/announce.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { timeText } from '#web/ui/date-text.ts'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { texts } from './texts.ts'
import styles from './AdminDashboard.module.css'

const t = texts.ledgerCheck

/** Violations shown; more of them usually share one cause. */
const MAX_LISTED_VIOLATIONS = 10

type LedgerCheckReport = ResponseData<typeof invariants> & { at: number }

export function LedgerCheckCard() {
  const { busy, refused, run } = useAction(t.failed)
  const [report, setReport] = useState<LedgerCheckReport | null>(null)
  const check = async () => {
    setReport(null)
    const found = await send(invariants, {})
    setReport({ ...found, at: Date.now() })
    if (found.ok) announce(t.balance)
  }
  return (
    <Card
      title={t.title}
      folds
      className={styles.books}
      action={
        <Button size="small" busy={busy} onClick={() => run(check)}>
          {t.check}
        </Button>
      }
    >
      <p className={styles.explanation}>{t.explanation}</p>
      <ErrorLine>{refused}</ErrorLine>
      {report && <LedgerCheckNotice report={report} />}
    </Card>
  )
}

function LedgerCheckNotice({ report: { ok, violations, at } }: { report: LedgerCheckReport }) {
  const when = (
    <>
      {t.at} <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>
    </>
  )
  if (ok)
    return (
      <Notice tone="green">
        {t.balance}
        <span className={styles.when}>{when}</span>
      </Notice>
    )
  const hidden = violations.length - MAX_LISTED_VIOLATIONS
  return (
    <Notice tone="red">
      {t.broken(violations.length)}
      <span className={styles.when}>{when}</span>
      <ul className={styles.violations}>
        {violations.slice(0, MAX_LISTED_VIOLATIONS).map(({ rule, subject, detail }, at) => (
          <li key={at}>
            <strong>{rule}</strong> {subject}: {detail}
          </li>
        ))}
        {hidden > 0 && <li>{t.andMore(hidden)}</li>}
      </ul>
    </Notice>
  )
}
