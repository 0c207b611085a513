import { IconCurrencyBitcoin } from '@tabler/icons-react'
import { Link } from 'react-router'
import { usdFromDollars } from '#contract/money.ts'
import { UnverifiedNotice } from '#web/accounts/email/UnverifiedNotice.tsx'
import { useEmailStatus } from '#web/accounts/email/use-email-status.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Ticket } from '#web/ui/Card.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { DepositHistory } from './DepositHistory.tsx'
import { texts } from './texts.ts'
import { useTopUp } from './use-top-up.ts'
import styles from './Payments.module.css'

export function DepositPage() {
  const { balance } = useUser()
  const { pay, busy, invoice, sandbox } = useTopUp()
  const { status } = useEmailStatus()
  return (
    <div className={styles.page}>
      {status?.needed && <UnverifiedNotice />}
      <Ticket className={styles.ticket}>
        <div>
          <h2 className={styles.name}>{texts.balance}</h2>
          <p className={styles.balance} role="status">
            {usdFromDollars(balance)}
          </p>
          <Link to="/main/wallet" className={styles.statement}>
            {texts.statement}
          </Link>
        </div>
        <p className={styles.how}>
          {texts.how}
          {sandbox && (
            <>
              {' '}
              <strong>{texts.sandbox}</strong>
            </>
          )}
        </p>
        <Button
          kind="money"
          size="large"
          icon={<IconCurrencyBitcoin />}
          busy={busy}
          disabledReason={status?.needed ? texts.verifyFirst : null}
          onClick={() => void pay()}
        >
          {texts.pay}
        </Button>
      </Ticket>
      {invoice && (
        <Notice
          tone={invoice.paid ? 'blue' : 'yellow'}
          action={
            invoice.page && (
              <a href={invoice.page} target="_blank" rel="noopener">
                {texts.openPage}
              </a>
            )
          }
        >
          {texts.invoice} <CopyText value={invoice.id} />
          <br />
          {invoice.page ? texts.inPage : invoice.paid ? texts.paid : texts.open}
        </Notice>
      )}
      <DepositHistory />
    </div>
  )
}
