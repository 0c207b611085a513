import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { usdFromDollars } from '#contract/money.ts'
import { UnverifiedNotice } from '#web/accounts/email/UnverifiedNotice.tsx'
import { useEmailStatus } from '#web/accounts/email/use-email-status.ts'
import { affordableCount } from '#web/catalogue/affordable.ts'
import { useCheapestPrice } from '#web/catalogue/use-cheapest-price.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { useUser } from '#web/client/session.ts'
import { useFirstLoad } from '#web/client/use-first-load.ts'
import { WaitingNotice } from '#web/ledger/adjustments/Adjustments.tsx'
import { Ticket } from '#web/ui/Card.tsx'
import { secondsToMs } from '#web/ui/date-text.ts'
import { useIsDesktop } from '#web/ui/use-viewport.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { AMOUNT_ID, AmountCard } from './AmountCard.tsx'
import { listedAmount } from './deposit-appearance.ts'
import { depositView, isFormInUse } from './deposit-view.ts'
import type { FormInUse } from './deposit-view.ts'
import { DepositHistory } from './DepositHistory.tsx'
import { newestStepText } from './payment-steps.ts'
import { OTHER_AMOUNT_ID, PaymentCard } from './PaymentCard.tsx'
import { texts } from './texts.ts'
import { useRecentDeposits } from './use-recent-deposits.ts'
import { focusPayment, PAYMENT_ID, useTopUp } from './use-top-up.ts'
import styles from './Payments.module.css'

/** The one that had the focus is replaced by what has this element. */
const focusNext = (id: string) => requestAnimationFrame(() => document.getElementById(id)?.focus())

/** Money is added by a form; an invoice that was made is followed to the balance (deposit-view.ts). */
export function DepositPage() {
  const { status } = useEmailStatus()
  const topUp = useTopUp()
  const { _id: userId, balance: available } = useUser()
  const desktop = useIsDesktop()
  const waiting =
    useFirstLoad(
      queryKeys.recentDeposits(userId),
      queryKeys.invoices(userId),
      queryKeys.adjustments(userId),
    ) || undefined
  const [inUse, setInUse] = useState<FormInUse | null>(null)
  const { invoice } = topUp
  const { hasPayment, hasForm } = depositView(invoice, inUse)
  usePassedFocus(invoice?.status === 'New')
  /** The payment appeared beside a form in use; a screen reader is told, since its user is in the form. */
  const isBesideForm =
    invoice !== undefined && invoice.status !== 'New' && isFormInUse(inUse, invoice)
  const payment = invoice && hasPayment && (
    <div
      key="payment"
      id={PAYMENT_ID}
      tabIndex={-1}
      role="group"
      aria-label={texts.steps.name}
      className={styles.money}
      data-waiting={waiting}
    >
      <PaymentCard
        invoice={invoice}
        page={topUp.page}
        sandbox={topUp.sandbox}
        announces={!isBesideForm}
        onPay={topUp.openDialog}
        onOtherAmount={() => {
          setInUse({ since: 'invoice', id: invoice.id })
          focusNext(AMOUNT_ID)
        }}
      />
    </div>
  )
  const form = hasForm && (
    <div
      key="form"
      className={styles.money}
      data-below={hasPayment || undefined}
      data-waiting={waiting}
    >
      <AmountCard
        busy={topUp.busy}
        disabledReason={status?.needed ? texts.verifyFirst : null}
        sandbox={topUp.sandbox}
        open={invoice?.status === 'New' ? invoice : null}
        onPay={amount => topUp.pay(amount, () => setInUse(null))}
        onTouch={() => invoice || setInUse({ since: 'before' })}
        onCancel={() => {
          setInUse(null)
          focusNext(OTHER_AMOUNT_ID)
        }}
      />
    </div>
  )
  const balance = <BalanceTicket key="balance" />
  return (
    <div className={styles.page}>
      {status?.needed && <UnverifiedNotice />}
      <WaitingNotice userId={userId} balance={available} />
      <p role="status" className="visually-hidden">
        {isBesideForm && newestStepText(invoice)}
      </p>
      {/* One below the other, a payment is first, also for the keyboard. */}
      <div className={styles.top}>
        {invoice && !desktop ? [payment, form, balance] : [balance, payment, form]}
      </div>
      <div className={styles.rest} data-waiting={waiting}>
        <DepositHistory />
      </div>
    </div>
  )
}

/** The payment may go on while one of the buttons of an open invoice has the focus: they end then, and the payment gets it. */
function usePassedFocus(isOpen: boolean): void {
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) focusPayment()
    wasOpen.current = isOpen
  }, [isOpen])
}

function BalanceTicket() {
  const { balance, totalDeposit } = useUser()
  const price = useCheapestPrice()
  const labels = affordableCount(balance, price)
  const last = useRecentDeposits().data?.find(({ status }) => status === 'Settled')
  return (
    <Ticket className={styles.ticket}>
      <h2 className={styles.name}>{texts.balance}</h2>
      <p className={styles.balance} role="status">
        {usdFromDollars(balance)}
      </p>
      <p className={styles.reach}>
        {labels !== null
          && (labels > 0
            ? texts.enough(labels, usdFromDollars(price!))
            : texts.tooLittle(usdFromDollars(price!)))}
      </p>
      {totalDeposit > 0 ? (
        <dl className={styles.facts}>
          {last && (
            <div>
              <dt>{texts.lastDeposit}</dt>
              <dd>
                {usdFromDollars(listedAmount(last))},{' '}
                <DateTime at={secondsToMs(last.createdTime)} day />
              </dd>
            </div>
          )}
          <div>
            <dt>{texts.deposited}</dt>
            <dd>{usdFromDollars(totalDeposit)}</dd>
          </div>
        </dl>
      ) : (
        <p className={styles.purpose}>{texts.forLabels}</p>
      )}
      <Link to="/main/wallet" className={styles.statement}>
        {texts.statement}
      </Link>
    </Ticket>
  )
}
