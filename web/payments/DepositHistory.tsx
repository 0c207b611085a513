import { useQueryClient } from '@tanstack/react-query'
import { listDeposits } from '#contract/payments.ts'
import type { Deposit } from '#contract/payments.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { refreshUser } from '#web/client/session.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { useServerList } from '#web/client/use-server-list.ts'
import { PaymentPicture } from '#web/shell/EmptyPictures.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { secondsToMs } from '#web/ui/date-text.ts'
import { DotLine } from '#web/ui/DotLine.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { isDepositOpen } from './deposit-appearance.ts'
import { DepositAmount } from './DepositAmount.tsx'
import { DepositStatus } from './DepositStatus.tsx'
import { texts } from './texts.ts'
import styles from './Payments.module.css'

const PAGE_SIZE = 7
/** The list reloads at this interval while a payment is pending. */
const PENDING_REFRESH_MS = 15_000

const openDepositCount = (list: Deposit[]): number =>
  list.filter(({ status }) => isDepositOpen(status)).length

const InvoiceName = ({ deposit: { _id } }: { deposit: Deposit }) => (
  <span className={styles.invoice}>
    <CopyText value={texts.invoice(_id)}>{texts.invoice(_id)}</CopyText>
  </span>
)

const StatusCell = ({ deposit: { status, note } }: { deposit: Deposit }) => (
  <span className={styles.words}>
    <DepositStatus status={status} />
    {note && <span className={styles.note}>{note}</span>}
  </span>
)

const COLUMNS: Column<Deposit>[] = [
  {
    head: texts.columns.amount,
    share: 22,
    cell: deposit => <DepositAmount deposit={deposit} />,
  },
  {
    head: texts.columns.at,
    share: 22,
    cell: ({ createdTime }) => <DateTime at={secondsToMs(createdTime)} />,
  },
  {
    head: texts.columns.invoice,
    share: 20,
    foldBelow: 640,
    cell: deposit => <InvoiceName deposit={deposit} />,
  },
  {
    head: texts.columns.status,
    share: 36,
    cell: deposit => <StatusCell deposit={deposit} />,
  },
]

export function DepositHistory() {
  const { user, isLook } = useShownAccount()
  const userId = user._id
  const queryClient = useQueryClient()
  const load = async (page: number, signal: AbortSignal) => {
    const before =
      queryClient.getQueryData<{ rows: Deposit[] }>(queryKeys.deposits(userId, page))?.rows ?? []
    const query = { page, limit: PAGE_SIZE, filter: 'all' as const }
    const { deposits, totalCount } = await send(
      listDeposits,
      { params: { userId }, query },
      { signal },
    )
    // A deposit that is no longer open may have changed the balance.
    if (!isLook && openDepositCount(before) > openDepositCount(deposits)) void refreshUser()
    return { rows: deposits, total: totalCount }
  }
  const { rows, paging, failed, retry } = useServerList<Deposit>({
    size: PAGE_SIZE,
    queryKey: page => queryKeys.deposits(userId, page),
    load,
    refreshMs: list => list.some(({ status }) => status === 'Processing') && PENDING_REFRESH_MS,
  })
  return (
    <ListTable
      title={texts.history}
      columns={COLUMNS}
      rows={rows}
      rowKey={({ _id }) => _id}
      paging={paging}
      errorNotice={failed && <LoadErrorNotice onRetry={retry}>{texts.failed}</LoadErrorNotice>}
      empty={{ title: texts.none, text: texts.noneText, picture: <PaymentPicture /> }}
      loadingCard={() => ({ details: 1, aside: 1 })}
      card={deposit => ({
        title: <DepositAmount deposit={deposit} />,
        details: [
          <DotLine
            key="at"
            parts={[
              <DateTime key="at" at={secondsToMs(deposit.createdTime)} />,
              texts.invoice(deposit._id),
            ]}
          />,
          ...(deposit.note ? [deposit.note] : []),
        ],
        aside: [<DepositStatus key="status" status={deposit.status} />],
      })}
    />
  )
}
