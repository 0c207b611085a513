import { Link } from 'react-router'
import { groupTracking, townText } from '#contract/format.ts'
import type { Order } from '#contract/orders.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { OrderStatusPill } from '#web/orders/OrderCells.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { DotLine } from '#web/ui/DotLine.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { rowsOfPage, usePaging } from '#web/ui/use-paging.ts'
import { DateTime, TwoLines } from '#web/ui/Value.tsx'
import { NothingYet } from './NothingYet.tsx'
import { texts } from './texts.ts'
import { useRecentOrders } from './use-recent.ts'
import styles from './Dashboard.module.css'

const t = texts.orders

const cityAndStateFor = (side: Record<string, string>, name: 'sender' | 'receiver'): string =>
  [townText(side[`${name}_city`] ?? ''), side[`${name}_state_province`]].filter(Boolean).join(', ')

const TrackingCell = ({ order }: { order: Order }) =>
  order.tracking_number ? (
    <CopyText value={order.tracking_number}>{groupTracking(order.tracking_number)}</CopyText>
  ) : (
    <span className={styles.none}>{order.reason || t.noTracking[order.status]}</span>
  )

/** A long name has two lines, so that tracking number and date fit. */
function PartyCell({ name = '', place }: { name?: string; place: string }) {
  return (
    <span className={styles.party} title={`${name}, ${place}`}>
      <TwoLines first={name} second={place} />
    </span>
  )
}

const COLUMNS: Column<Order>[] = [
  {
    head: t.columns.type,
    share: 16,
    cell: order => <OrderStatusPill order={order} />,
    loadingLines: ['6em'],
  },
  {
    head: t.columns.from,
    share: 18.25,
    cell: ({ sender }) => (
      <PartyCell name={sender.sender_name} place={cityAndStateFor(sender, 'sender')} />
    ),
    loadingLines: ['6.5em', '4em'],
  },
  {
    head: t.columns.to,
    share: 18.25,
    cell: ({ receiver }) => (
      <PartyCell name={receiver.receiver_name} place={cityAndStateFor(receiver, 'receiver')} />
    ),
    loadingLines: ['5.5em', '4.5em'],
  },
  {
    head: t.columns.tracking,
    share: 32,
    cell: order => <TrackingCell order={order} />,
    loadingLines: ['15.5em'],
  },
  {
    head: t.columns.at,
    share: 15.5,
    cell: ({ createdAt }) => <DateTime at={createdAt} stacked />,
    align: 'end',
    loadingLines: ['5.5em', '2.5em'],
  },
]

export function RecentOrders() {
  const { pathOf } = useShownAccount()
  const { data, isError, refetch } = useRecentOrders()
  const paging = usePaging({ total: data?.length, size: 5, param: 'orders' })
  if (data?.length === 0)
    return (
      <NothingYet
        title={t.title}
        none={t.none}
        text={t.noneText}
        to="/main/orders"
        linkText={t.all}
      />
    )
  return (
    <ListTable
      cardsBelow={600}
      title={t.title}
      action={
        <Link to={pathOf('/main/orders') ?? '.'} className={styles.more}>
          {t.all}
        </Link>
      }
      columns={COLUMNS}
      rows={rowsOfPage(data, paging)}
      rowKey={order => order._id}
      paging={paging}
      expectsPages
      errorNotice={
        isError
        && !data && <LoadErrorNotice onRetry={() => void refetch()}>{t.failed}</LoadErrorNotice>
      }
      empty={{ title: t.none }}
      loadingCard={() => ({ aside: 1 })}
      card={order => ({
        title: order.receiver.receiver_name,
        details: [
          <DotLine
            key="at"
            parts={[
              cityAndStateFor(order.receiver, 'receiver'),
              <DateTime key="at" at={order.createdAt} />,
            ]}
          />,
          <TrackingCell key="tracking" order={order} />,
        ],
        aside: [<OrderStatusPill key="type" order={order} />],
      })}
    />
  )
}
