/** Every movement of the balance, newest first. */
import { IconDownload } from '@tabler/icons-react'
import { useEffect } from 'react'
import { statementCsv } from '#contract/ledger.ts'
import { usdFromDollars } from '#contract/money.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { urlFor } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Ticket } from '#web/ui/Card.tsx'
import { WaitingNotice } from './adjustments/Adjustments.tsx'
import { BalanceOverTime } from './BalanceOverTime.tsx'
import type { MovementLinks } from './movement-links.ts'
import { Movements } from './Movements.tsx'
import { texts } from './texts.ts'
import styles from './Statement.module.css'

const MOVEMENT_LINKS: MovementLinks = {
  order: id => `/main/orders/${id}`,
  batch: id => `/main/orders?batchId=${id}`,
  invoice: '/main/deposit',
}

export function StatementPage() {
  const { _id: userId, balance, totalDeposit } = useUser()
  // Labels may have been bought since the last load.
  useEffect(() => void refreshUser(), [])
  const topUp = <ButtonLink to="/main/deposit">{texts.topUp}</ButtonLink>
  return (
    <div className={styles.page}>
      <Ticket className={styles.ticket}>
        <div>
          <h2 className={styles.name}>{texts.balance}</h2>
          <p className={styles.balance}>{usdFromDollars(balance)}</p>
        </div>
        <p className={styles.how}>{texts.how}</p>
        <div className={styles.actions}>
          <ButtonLink
            href={urlFor(statementCsv, { params: { userId } })}
            target="_blank"
            icon={<IconDownload aria-hidden="true" />}
          >
            {texts.file}
          </ButtonLink>
          <ButtonLink
            href={urlFor(statementCsv, { params: { userId }, query: { format: 'xlsx' } })}
            target="_blank"
            icon={<IconDownload aria-hidden="true" />}
          >
            {texts.workbook}
          </ButtonLink>
          <ButtonLink to="/main/refunds">{texts.refunds}</ButtonLink>
          <ButtonLink kind="ink" to="/main/deposit">
            {texts.topUp}
          </ButtonLink>
        </div>
      </Ticket>
      <WaitingNotice userId={userId} balance={balance} />
      {(balance !== 0 || totalDeposit !== 0) && <BalanceOverTime />}
      {/* The balance is part of the key: a new balance means new movements. */}
      <Movements
        userId={userId}
        links={MOVEMENT_LINKS}
        queryKey={(page, filter) => queryKeys.statement(userId, page, filter, balance)}
        empty={{ title: texts.none, text: texts.noneText, action: topUp }}
      />
    </div>
  )
}
