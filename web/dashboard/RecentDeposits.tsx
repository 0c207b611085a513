import { Link } from 'react-router'
import type { Deposit } from '#contract/payments.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { DepositAmount } from '#web/payments/DepositAmount.tsx'
import { DepositStatus } from '#web/payments/DepositStatus.tsx'
import { useRecentDeposits } from '#web/payments/use-recent-deposits.ts'
import { secondsToMs } from '#web/ui/date-text.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { rowsOfPage, usePaging } from '#web/ui/use-paging.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { NothingYet } from './NothingYet.tsx'
import { texts } from './texts.ts'
import styles from './Dashboard.module.css'

const t = texts.deposits

const COLUMNS: Column<Deposit>[] = [
  {
    head: t.columns.amount,
    cell: deposit => <DepositAmount deposit={deposit} />,
  },
  {
    head: t.columns.at,
    cell: ({ createdTime }) => <DateTime at={secondsToMs(createdTime)} stacked />,
  },
  {
    head: t.columns.status,
    cell: ({ status }) => <DepositStatus status={status} />,
    align: 'end',
  },
]

export function RecentDeposits() {
  const { pathOf } = useShownAccount()
  const { data, isError, refetch } = useRecentDeposits()
  const paging = usePaging({ total: data?.length, size: 5, param: 'deposits' })
  if (data?.length === 0)
    return (
      <NothingYet
        title={t.title}
        none={t.none}
        text={t.noneText}
        to="/main/deposit"
        linkText={t.all}
      />
    )
  return (
    <ListTable
      title={t.title}
      action={
        <Link to={pathOf('/main/deposit') ?? '.'} className={styles.more}>
          {t.all}
        </Link>
      }
      columns={COLUMNS}
      cardsBelow={380}
      rows={rowsOfPage(data, paging)}
      rowKey={({ _id }) => _id}
      paging={paging}
      errorNotice={
        isError
        && !data && <LoadErrorNotice onRetry={() => void refetch()}>{t.failed}</LoadErrorNotice>
      }
      empty={{ title: t.none }}
      loadingCard={() => ({ details: 1, aside: 1 })}
      card={deposit => ({
        title: <DepositAmount deposit={deposit} />,
        details: [<DateTime key="at" at={secondsToMs(deposit.createdTime)} />],
        aside: [<DepositStatus key="status" status={deposit.status} />],
      })}
    />
  )
}
