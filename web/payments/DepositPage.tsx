import { useState } from 'react'
import { Link } from 'react-router'
import { usdFromDollars } from '#contract/money.ts'
import { UnverifiedNotice } from '#web/accounts/email/UnverifiedNotice.tsx'
import { useEmailStatus } from '#web/accounts/email/use-email-status.ts'
import { affordableCount } from '#web/catalogue/affordable.ts'
import { useCheapestPrice } from '#web/catalogue/use-cheapest-price.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { useUser } from '#web/client/session.ts'
import { useFirstLoad } from '#web/client/use-first-load.ts'
import { Ticket } from '#web/ui/Card.tsx'
import { secondsToMs } from '#web/ui/date-text.ts'
import { useIsDesktop } from '#web/ui/use-viewport.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { AMOUNT_ID, AmountCard } from './AmountCard.tsx'
import { DepositHistory } from './DepositHistory.tsx'
import { OTHER_AMOUNT_ID, PaymentCard } from './PaymentCard.tsx'
import { texts } from './texts.ts'
import { useRecentDeposits } from './use-recent-deposits.ts'
import { useTopUp } from './use-top-up.ts'
import styles from './Payments.module.css'

/** The one that had the focus is replaced by what has this element. */
const focusNext = (id: string) => requestAnimationFrame(() => document.getElementById(id)?.focus())

/** A payment that was begun is in the place of the form, until another amount is asked for. */
export function DepositPage() {
  const { status } = useEmailStatus()
  const topUp = useTopUp()
  const { _id: userId } = useUser()
  const desktop = useIsDesktop()
  const waiting =
    useFirstLoad(queryKeys.recentDeposits(userId), queryKeys.invoices(userId)) || undefined
  /** The invoice beside which the form was opened. */
  const [formBeside, setFormBeside] = useState<string | null>(null)
  const { invoice } = topUp
  const isPayment = invoice !== undefined && formBeside !== invoice.id
  const money = (
    <div key="money" className={styles.money} data-waiting={waiting}>
      {isPayment ? (
        <PaymentCard
          invoice={invoice}
          page={topUp.page}
          sandbox={topUp.sandbox}
          onPay={topUp.openDialog}
          onOtherAmount={() => {
            setFormBeside(invoice.id)
            focusNext(AMOUNT_ID)
          }}
        />
      ) : (
        <AmountCard
          // Whether an invoice is open decides what the form begins with.
          key={String(invoice?.id)}
          busy={topUp.busy}
          disabledReason={status?.needed ? texts.verifyFirst : null}
          sandbox={topUp.sandbox}
          open={invoice?.status === 'New' ? invoice : null}
          onPay={topUp.pay}
          onCancel={
            invoice
              ? () => {
                  setFormBeside(null)
                  focusNext(OTHER_AMOUNT_ID)
                }
              : null
          }
        />
      )}
    </div>
  )
  const balance = <BalanceTicket key="balance" />
  return (
    <div className={styles.page}>
      {status?.needed && <UnverifiedNotice />}
      {/* One below the other, a payment is first, also for the keyboard. */}
      <div className={styles.top}>{invoice && !desktop ? [money, balance] : [balance, money]}</div>
      <div className={styles.rest} data-waiting={waiting}>
        <DepositHistory />
      </div>
    </div>
  )
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
                {usdFromDollars(last.amount)}, <DateTime at={secondsToMs(last.createdTime)} day />
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
