import { invitedUsers } from '#contract/referrals.ts'
import type { InvitedUser } from '#contract/referrals.ts'
import { messageOf, sendList } from '#web/client/send.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { DateTime, Money } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from './Referrals.module.css'

const PAGE_SIZE = 7

const COLUMNS: Column<InvitedUser>[] = [
  { head: texts.columns.name, cell: ({ name }) => <span className={styles.name}>{name}</span> },
  {
    head: texts.columns.registered,
    cell: ({ registeredDate }) => <DateTime at={registeredDate} />,
  },
  {
    head: texts.columns.deposit,
    align: 'end',
    cell: ({ totalDeposit }) => <Money dollars={totalDeposit} />,
  },
]

type InvitedUsersTableProps = {
  /** The user whose code they registered with. */
  userId: string
  queryKey: (page: number) => readonly unknown[]
  /** Shown when loading fails and the server sends no message. */
  errorText: string
  /** Shows `errorText` as a toast, too. */
  withToast?: boolean
  empty: { title: string; text: string }
}

/** Users who registered with a user's code, newest first. */
export function InvitedUsersTable({
  userId,
  queryKey,
  errorText,
  withToast = false,
  empty,
}: InvitedUsersTableProps) {
  const { rows, paging, failed, error, retry } = useServerList<InvitedUser>({
    size: PAGE_SIZE,
    queryKey,
    errorToast: withToast ? errorText : undefined,
    load: (page, signal) =>
      sendList(invitedUsers, { params: { userId }, query: { page, limit: PAGE_SIZE } }, { signal }),
  })
  return (
    <ListTable
      title={texts.title}
      columns={COLUMNS}
      rows={rows}
      rowKey={({ name, registeredDate }) => `${registeredDate} ${name}`}
      paging={paging}
      lines={1}
      errorNotice={
        failed && <LoadErrorNotice onRetry={retry}>{messageOf(error, errorText)}</LoadErrorNotice>
      }
      empty={empty}
      card={({ name, registeredDate, totalDeposit }) => ({
        title: <span className={styles.name}>{name}</span>,
        details: [<DateTime key="at" at={registeredDate} />],
        aside: [
          <Money key="deposit" dollars={totalDeposit} />,
          <span key="word" className={styles.word}>
            {texts.columns.deposit}
          </span>,
        ],
      })}
    />
  )
}
