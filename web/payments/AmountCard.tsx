import { IconCurrencyBitcoin } from '@tabler/icons-react'
import { useState } from 'react'
import { usdFromDollars } from '#contract/money.ts'
import type { Invoice } from '#contract/payments.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { secondsToMs } from '#web/ui/date-text.ts'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { parseDollars } from '#web/ui/money-text.ts'
import { amountProblem, QUICK_AMOUNTS } from './amount.ts'
import { texts } from './texts.ts'
import { TimeLeft } from './TimeLeft.tsx'
import { Worth } from './Worth.tsx'
import styles from './Payments.module.css'

type AmountCardProps = {
  busy: boolean
  disabledReason: string | null
  sandbox: boolean
  /** An invoice that waits for its payment. Another amount replaces it. */
  open: Pick<Invoice, 'requested' | 'expirationTime'> | null
  onPay: (amount: number) => Promise<void>
  /** Back to the open invoice in whose place the form is. */
  onCancel: () => void
  /** A field or button of the form has the focus. */
  onTouch: () => void
}

/** Element id of the field. */
export const AMOUNT_ID = 'deposit-amount'

/** Begins with the middle amount, so that one click is enough; beside an open invoice with none, since another is wanted. */
export function AmountCard({
  busy,
  disabledReason,
  sandbox,
  open,
  onPay,
  onCancel,
  onTouch,
}: AmountCardProps) {
  const [text, setText] = useState(open ? '' : String(QUICK_AMOUNTS[1]))
  const [problem, setProblem] = useState<string | null>(null)
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
    if (valid !== null) await onPay(valid)
  }
  return (
    <Card title={texts.addMoney} className={styles.add}>
      <Form onSubmit={submit} onFocus={onTouch} className={styles.form}>
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
        <Worth amount={valid} live />
        <div className={styles.buttons}>
          {!isOpen && (
            <Button
              // Nothing is to be paid yet while another amount is wanted.
              kind={open && valid === null ? 'outline' : 'money'}
              size="large"
              type="submit"
              icon={<IconCurrencyBitcoin />}
              busy={busy}
              disabledReason={disabledReason}
            >
              {open ? texts.newInvoice(valid === null ? null : usdFromDollars(valid)) : texts.pay}
            </Button>
          )}
          {open && (
            <Button kind="quiet" size="large" onClick={onCancel}>
              {texts.cancel}
            </Button>
          )}
        </div>
        <p className={styles.how}>
          {isOpen ? texts.sameAmount : open ? replacesText(open.requested) : texts.how}
          {open && (
            <>
              {' '}
              {texts.openUntil} <TimeLeft until={secondsToMs(open.expirationTime)} />.
            </>
          )}
        </p>
        {sandbox && <p className={styles.sandbox}>{texts.sandbox}</p>}
      </Form>
    </Card>
  )
}

/** Another amount closes the open invoice here; the server still credits a payment of it. */
const replacesText = (requested: number | null): string =>
  texts.replaces(requested === null ? null : usdFromDollars(requested))
