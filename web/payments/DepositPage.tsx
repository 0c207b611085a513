import { IconCurrencyBitcoin } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { usdFromDollars } from '#contract/money.ts'
import type { Invoice } from '#contract/payments.ts'
import { UnverifiedNotice } from '#web/accounts/email/UnverifiedNotice.tsx'
import { useEmailStatus } from '#web/accounts/email/use-email-status.ts'
import { affordableCount } from '#web/catalogue/affordable.ts'
import { useCheapestPrice } from '#web/catalogue/use-cheapest-price.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { useUser } from '#web/client/session.ts'
import { useFirstLoad } from '#web/client/use-first-load.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card, Ticket } from '#web/ui/Card.tsx'
import { secondsToMs } from '#web/ui/date-text.ts'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { amountProblem, parseDollars, QUICK_AMOUNTS } from './amount.ts'
import { DepositHistory } from './DepositHistory.tsx'
import { InvoiceProgress } from './InvoiceProgress.tsx'
import { texts } from './texts.ts'
import { useRecentDeposits } from './use-recent-deposits.ts'
import { useTopUp } from './use-top-up.ts'
import styles from './Payments.module.css'

export function DepositPage() {
  const { status } = useEmailStatus()
  const topUp = useTopUp()
  const { _id: userId } = useUser()
  const waiting = useFirstLoad(queryKeys.recentDeposits(userId), queryKeys.invoices(userId))
  return (
    <div className={styles.page}>
      {status?.needed && <UnverifiedNotice />}
      {topUp.invoice && (
        <InvoiceProgress invoice={topUp.invoice} page={topUp.page} onReopen={topUp.openDialog} />
      )}
      <div className={styles.top}>
        <BalanceTicket />
        <Card title={texts.addMoney}>
          <AmountForm
            busy={topUp.busy}
            disabledReason={status?.needed ? texts.verifyFirst : null}
            sandbox={topUp.sandbox}
            open={topUp.invoice?.status === 'New' ? topUp.invoice : null}
            onPay={topUp.pay}
          />
        </Card>
      </div>
      <div className={styles.rest} data-waiting={waiting || undefined}>
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

type AmountFormProps = {
  busy: boolean
  disabledReason: string | null
  sandbox: boolean
  /** An invoice that waits for its payment: paying it is the page's main act then, and this form replaces it. */
  open: Pick<Invoice, 'requested'> | null
  onPay: (amount: number) => Promise<void>
}

const AMOUNT_ID = 'deposit-amount'

/** Begins with the middle amount, so that one click is enough. */
function AmountForm({ busy, disabledReason, sandbox, open, onPay }: AmountFormProps) {
  const [text, setText] = useState(String(QUICK_AMOUNTS[1]))
  const [problem, setProblem] = useState<string | null>(null)
  const [isOther, setIsOther] = useState(false)
  const value = parseDollars(text)
  const valid = amountProblem(text) === null ? value : null
  const isOpen = open !== null && open.requested !== null && value === open.requested
  const choose = (next: string) => {
    setText(next)
    setProblem(null)
  }
  const submit = async () => {
    // Enter in the field submits without the button.
    if (isOpen || disabledReason !== null) return
    setProblem(amountProblem(text))
    if (valid === null) return
    await onPay(valid)
    setIsOther(false)
  }
  if (open && open.requested !== null && !isOther)
    return (
      <div className={styles.form}>
        <p>{texts.alreadyOpen(usdFromDollars(open.requested))}</p>
        <Worth amount={open.requested} />
        <div className={styles.act}>
          <Button
            size="large"
            onClick={() => {
              setIsOther(true)
              requestAnimationFrame(() => document.getElementById(AMOUNT_ID)?.focus())
            }}
          >
            {texts.otherAmount}
          </Button>
        </div>
        {sandbox && <p className={styles.sandbox}>{texts.sandbox}</p>}
      </div>
    )
  return (
    <Form onSubmit={submit} className={styles.form}>
      <div className={styles.amounts}>
        <TextField
          id={AMOUNT_ID}
          label={texts.amount}
          error={problem}
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          leftSection="$"
          value={text}
          onChange={event => choose(event.currentTarget.value)}
        />
        <div className={styles.quick} role="group" aria-label={texts.quick}>
          {QUICK_AMOUNTS.map(amount => (
            <Button
              key={amount}
              size="large"
              aria-pressed={value === amount}
              onClick={() => choose(String(amount))}
            >
              ${amount}
            </Button>
          ))}
        </div>
      </div>
      <div className={styles.act}>
        <Worth amount={valid} />
        {!isOpen && (
          <Button
            kind={open ? 'outline' : 'money'}
            size="large"
            type="submit"
            icon={open ? undefined : <IconCurrencyBitcoin />}
            busy={busy}
            disabledReason={disabledReason}
          >
            {open ? texts.newInvoice(valid === null ? null : usdFromDollars(valid)) : texts.pay}
          </Button>
        )}
      </div>
      <p className={styles.how}>
        {isOpen ? texts.sameAmount : open ? replacesText(open.requested) : texts.how}
      </p>
      {sandbox && <p className={styles.sandbox}>{texts.sandbox}</p>}
    </Form>
  )
}

/** Another amount closes the open invoice here; the server still credits a payment of it. */
const replacesText = (requested: number | null): string =>
  texts.replaces(requested === null ? null : usdFromDollars(requested))

/** What an amount buys at the user's cheapest price. `amount` null: nothing to say yet. */
function Worth({ amount }: { amount: number | null }) {
  const { balance } = useUser()
  const price = useCheapestPrice()
  const labels = amount === null ? null : affordableCount(amount, price)
  const each = price ? usdFromDollars(price) : ''
  return (
    <p className={styles.worth} role="status">
      {labels !== null && (
        <strong>{labels > 0 ? texts.buys(labels, each) : texts.tooLittle(each)}</strong>
      )}
      {amount !== null && <span>{texts.after(usdFromDollars(balance + amount))}</span>}
    </p>
  )
}
