import { IconCurrencyBitcoin } from '@tabler/icons-react'
import { usdFromDollars } from '#contract/money.ts'
import type { Invoice } from '#contract/payments.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { secondsToMs } from '#web/ui/date-text.ts'
import { DotLine } from '#web/ui/DotLine.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { StepRail } from '#web/ui/StepRail.tsx'
import { paymentSteps } from './payment-steps.ts'
import { texts } from './texts.ts'
import { TimeLeft } from './TimeLeft.tsx'
import { PAY_INVOICE_ID } from './use-top-up.ts'
import { Worth } from './Worth.tsx'
import styles from './PaymentCard.module.css'

const t = texts.steps

/** Element id of the button that leads from an open invoice to the form. */
export const OTHER_AMOUNT_ID = 'other-amount'

type PaymentCardProps = {
  invoice: Invoice
  /** Its checkout page, when the dialog could not be loaded; else null. */
  page: string | null
  sandbox: boolean
  announces: boolean
  /** Opens the payment dialog. */
  onPay: (invoice: Invoice) => void
  onOtherAmount: () => void
}

/** An invoice: what it buys, its three steps to the balance, and the payment while it is open. */
export function PaymentCard({
  invoice,
  page,
  sandbox,
  announces,
  onPay,
  onOtherAmount,
}: PaymentCardProps) {
  const { number, status, requested, note } = invoice
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
              isOpen && (
                <span key="left" className={styles.left}>
                  {t.expires} <TimeLeft until={secondsToMs(invoice.expirationTime)} />
                </span>
              ),
            ]}
          />
        </div>
        {isOpen && requested !== null && <Worth amount={requested} />}
      </div>
      <StepRail live={announces} steps={paymentSteps(invoice)} />
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
      {isOpen && (
        <div className={styles.acts}>
          {!page && (
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
          <Button id={OTHER_AMOUNT_ID} size="large" onClick={onOtherAmount}>
            {texts.otherAmount}
          </Button>
        </div>
      )}
      {isOpen && sandbox && <p className={styles.sandbox}>{texts.sandbox}</p>}
    </Card>
  )
}
