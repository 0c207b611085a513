import { IconCurrencyBitcoin } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { usdFromDollars } from '#contract/money.ts'
import type { Invoice } from '#contract/payments.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { secondsToMs } from '#web/ui/date-text.ts'
import { DotLine } from '#web/ui/DotLine.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { StepRail } from '#web/ui/StepRail.tsx'
import type { RailStep } from '#web/ui/StepRail.tsx'
import { invoiceSteps, remainingText } from './invoice-steps.ts'
import { texts } from './texts.ts'
import { PAY_INVOICE_ID } from './use-top-up.ts'
import { Worth } from './Worth.tsx'
import styles from './PaymentCard.module.css'

const t = texts.steps

/** Element id of the button that leads to the form. */
export const OTHER_AMOUNT_ID = 'other-amount'

type PaymentCardProps = {
  invoice: Invoice
  /** Its checkout page, when the dialog could not be loaded; else null. */
  page: string | null
  sandbox: boolean
  /** Opens the payment dialog. */
  onPay: (invoice: Invoice) => void
  onOtherAmount: () => void
}

/** An invoice: what it buys, its three steps to the balance, and the payment while it is open. */
export function PaymentCard({ invoice, page, sandbox, onPay, onOtherAmount }: PaymentCardProps) {
  const { number, status, amount, requested, note } = invoice
  const [waiting, seen, confirmed] = invoiceSteps(invoice)
  const paid = usdFromDollars(amount)
  const steps: RailStep[] = [
    {
      state: waiting,
      name: waiting === 'stopped' ? t.expired : t.waiting,
      text: waiting === 'stopped' ? t.expiredText : undefined,
    },
    {
      state: seen,
      name: t.seen,
      text: seen === 'current' ? t.unconfirmed : seen === 'done' ? t.received(paid) : undefined,
    },
    {
      state: confirmed,
      name: confirmed === 'stopped' ? t.invalid : t.confirmed,
      text: confirmed === 'done' ? t.inBalance(paid) : undefined,
    },
  ]
  const isOpen = status === 'New'
  return (
    <Card title={t.name} className={styles.payment}>
      <div className={styles.what}>
        <div>
          {requested !== null && (
            <p className={styles.requested}>
              <strong>{usdFromDollars(requested)}</strong> {t.requested}
            </p>
          )}
          <DotLine
            className={styles.id}
            parts={[
              <CopyText key="invoice" value={texts.invoice(number)}>
                {texts.invoice(number)}
              </CopyText>,
              waiting === 'current' && (
                <TimeLeft key="left" until={secondsToMs(invoice.expirationTime)} />
              ),
            ]}
          />
        </div>
        {isOpen && requested !== null && <Worth amount={requested} />}
      </div>
      <div className={styles.rail}>
        <StepRail live steps={steps} />
      </div>
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
      <div className={styles.acts}>
        {isOpen && !page && (
          <Button
            id={PAY_INVOICE_ID}
            kind="money"
            size="large"
            icon={<IconCurrencyBitcoin />}
            onClick={() => onPay(invoice)}
          >
            {texts.pay}
          </Button>
        )}
        <Button
          id={OTHER_AMOUNT_ID}
          kind={isOpen ? 'quiet' : 'outline'}
          size="large"
          onClick={onOtherAmount}
        >
          {isOpen ? texts.otherAmount : texts.addMoney}
        </Button>
      </div>
      {isOpen && sandbox && <p className={styles.sandbox}>{texts.sandbox}</p>}
    </Card>
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
    <span role="timer" aria-live="off" className={styles.left}>
      {t.expires} <span className={styles.clock}>{remainingText(until, now)}</span>
    </span>
  )
}
