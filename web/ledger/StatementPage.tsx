/** Every movement of the balance, newest first. */
import { IconDownload } from '@tabler/icons-react'
import { useEffect } from 'react'
import { statementCsv } from '#contract/ledger.ts'
import { usdFromDollars } from '#contract/money.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { urlFor } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import { BackLink } from '#web/ui/BackLink.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Ticket } from '#web/ui/Card.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { WaitingNotice } from './adjustments/Adjustments.tsx'
import { BalanceOverTime } from './BalanceOverTime.tsx'
import type { MovementLinks } from './movement-links.ts'
import { Movements } from './Movements.tsx'
import { SampleLines } from './SampleLines.tsx'
import { shortNameOfMonth, useStatementFilters } from './statement-filters.ts'
import { texts } from './texts.ts'
import { isWalletUsed } from './used-wallet.ts'
import styles from './Statement.module.css'

const MOVEMENT_LINKS: MovementLinks = {
  order: id => `/main/orders/${id}`,
  batch: id => `/main/orders?batchId=${id}`,
  invoice: '/main/deposit',
}

type StatementPageProps = {
  /** The user's lowest price of a label; null while it is unknown. */
  labelPrice: number | null
  /** How many labels at that price the balance pays for. */
  labels: number | null
}

export function StatementPage({ labelPrice, labels }: StatementPageProps) {
  const user = useUser()
  const { _id: userId, balance } = user
  // Labels may have been bought since the last load.
  useEffect(() => void refreshUser(), [])
  const isUsed = isWalletUsed(user)
  return (
    <div className={styles.page}>
      <BackLink to="/main/deposit">{texts.back}</BackLink>
      <Ticket className={styles.ticket}>
        <div>
          <h2 className={styles.name}>{texts.balance}</h2>
          <p className={styles.balance}>{usdFromDollars(balance)}</p>
          <Worth labelPrice={labelPrice} labels={labels} />
        </div>
        <p className={styles.how}>{texts.how}</p>
        <div className={styles.actions}>
          {isUsed && (
            <>
              <Files userId={userId} />
              <ButtonLink to="/main/refunds">{texts.refunds}</ButtonLink>
            </>
          )}
          <ButtonLink kind="ink" to="/main/deposit">
            {texts.topUp}
          </ButtonLink>
        </div>
      </Ticket>
      <WaitingNotice userId={userId} balance={balance} />
      {isUsed && <BalanceOverTime />}
      {/* The balance is part of the key: a new balance means new movements. */}
      <Movements
        userId={userId}
        links={MOVEMENT_LINKS}
        withReceivers
        queryKey={(page, filter) => queryKeys.statement(userId, page, filter, balance)}
        empty={{
          title: texts.none,
          text: texts.noneText,
          picture: <SampleLines labelPrice={labelPrice} />,
          action: <ButtonLink to="/main/deposit">{texts.firstDeposit}</ButtonLink>,
        }}
      />
    </div>
  )
}

/** Its line is kept while the price loads. */
function Worth({ labelPrice, labels }: StatementPageProps) {
  const each = usdFromDollars(labelPrice ?? 0)
  return (
    <p className={styles.worth}>
      {labels !== null && (labels > 0 ? texts.enough(labels, each) : texts.tooLittle(each))}
    </p>
  )
}

/** The statement as files, of the chosen month if there is one; phones have one button for both. */
function Files({ userId }: { userId: string }) {
  const isPhone = useIsPhone()
  const { month } = useStatementFilters()
  const hrefOf = (format: 'csv' | 'xlsx') =>
    urlFor(statementCsv, { params: { userId }, query: { format, ...(month && { month }) } })
  const name = month && shortNameOfMonth(month)
  const files = [
    { text: name ? texts.monthFile(name) : texts.file, href: hrefOf('csv') },
    { text: name ? texts.monthWorkbook(name) : texts.workbook, href: hrefOf('xlsx') },
  ]
  const icon = <IconDownload aria-hidden="true" />
  if (isPhone)
    return (
      <ActionMenu
        name={texts.files}
        actions={files.map(file => ({ ...file, icon: IconDownload }))}
        opener={<Button icon={icon}>{texts.files}</Button>}
      />
    )
  return files.map(({ text, href }) => (
    <ButtonLink key={href} href={href} target="_blank" icon={icon}>
      {text}
    </ButtonLink>
  ))
}
