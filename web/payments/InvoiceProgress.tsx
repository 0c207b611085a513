import { IconCheck, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { usdFromDollars } from '#contract/money.ts'
import type { Invoice } from '#contract/payments.ts'
import { Button } from '#web/ui/Button.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { secondsToMs } from '#web/ui/date-text.ts'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { invoiceSteps, remainingText } from './invoice-steps.ts'
import type { StepState } from './invoice-steps.ts'
import { texts } from './texts.ts'
import styles from './InvoiceProgress.module.css'

const t = texts.steps

type InvoiceProgressProps = {
  invoice: Invoice
  /** The checkout page, when the dialog could not be loaded; else null. */
  page: string | null
  onReopen: (invoice: Invoice) => void
}

/** Three steps from the invoice to the balance, and the way back to the payment while it is open. */
export function InvoiceProgress({ invoice, page, onReopen }: InvoiceProgressProps) {
  const { id, status, amount, requested, note } = invoice
  const [waiting, seen, confirmed] = invoiceSteps(invoice)
  const received = amount > 0 ? t.received(usdFromDollars(amount)) : ''
  return (
    <section className={styles.progress} aria-label={t.name}>
      <div className={styles.head}>
        <p className={styles.id}>
          {texts.invoice} <CopyText value={id} />
          {requested !== null && <span>{t.requested(usdFromDollars(requested))}</span>}
        </p>
        {status === 'New' && !page && (
          <Button size="small" onClick={() => onReopen(invoice)}>
            {t.reopen}
          </Button>
        )}
      </div>
      <ol className={styles.steps} aria-live="polite">
        <Step state={waiting} name={waiting === 'stopped' ? t.expired : t.waiting}>
          {waiting === 'current' ? (
            <TimeLeft until={secondsToMs(invoice.expirationTime)} />
          ) : (
            waiting === 'stopped' && t.expiredText
          )}
        </Step>
        <Step state={seen} name={t.seen}>
          {seen === 'current' ? t.unconfirmed : seen === 'done' && received}
        </Step>
        <Step state={confirmed} name={confirmed === 'stopped' ? t.invalid : t.confirmed}>
          {confirmed === 'done' && t.inBalance(usdFromDollars(amount))}
        </Step>
      </ol>
      {note && <p className={styles.note}>{note}</p>}
      {page && (
        <Notice
          tone="yellow"
          action={
            <a href={page} target="_blank" rel="noopener">
              {texts.openPage}
            </a>
          }
        >
          {texts.inPage}
        </Notice>
      )}
    </section>
  )
}

function Step({ state, name, children }: { state: StepState; name: string; children: ReactNode }) {
  return (
    <li
      className={styles.step}
      data-state={state}
      aria-current={state === 'current' ? 'step' : undefined}
    >
      <span className={styles.mark} aria-hidden="true">
        {state === 'done' ? <IconCheck /> : state === 'stopped' ? <IconX /> : null}
      </span>
      <span className={styles.stepName}>{name}</span>
      <span className={styles.stepText}>{children}</span>
    </li>
  )
}

/** Counts down each second. Screen readers hear it only when they come to it. */
function TimeLeft({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span role="timer" aria-live="off">
      {t.expires(remainingText(until, now))}
    </span>
  )
}
