import { listOrders } from '#contract/orders.ts'
import type { Order } from '#contract/orders.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { useServerList } from '#web/client/use-server-list.ts'
import { orderCard } from '#web/orders/order-card.tsx'
import { customerOrderFilterFrom, ORDER_FILTER_FIELDS } from '#web/orders/order-filter.ts'
import { ORDER_STATUS_TONE } from '#web/orders/order-status.ts'
import { orderKey } from '#web/orders/order-text.ts'
import {
  OrderStatusPill,
  PriceCell,
  ReceiverCell,
  SenderCell,
  TrackingCell,
} from '#web/orders/OrderCells.tsx'
import { OrderFilters } from '#web/orders/OrderFilters.tsx'
import { texts as orderTexts } from '#web/orders/texts.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from './AccountLook.module.css'

const PAGE_SIZE = 10

const COLUMNS: Column<Order>[] = [
  { head: orderTexts.columns.service, cell: ({ service_name: name }) => name },
  { head: orderTexts.columns.sender, cell: order => <SenderCell order={order} /> },
  { head: orderTexts.columns.receiver, cell: order => <ReceiverCell order={order} /> },
  { head: orderTexts.columns.tracking, cell: order => <TrackingCell order={order} /> },
  { head: orderTexts.status, cell: order => <OrderStatusPill order={order} /> },
  { head: orderTexts.columns.price, cell: order => <PriceCell order={order} />, align: 'end' },
  {
    head: orderTexts.columns.added,
    cell: ({ createdAt }) => <DateTime at={createdAt} stacked />,
    align: 'end',
  },
]

export function LookOrders() {
  const { _id: userId } = useShownAccount().user
  const { values, setFilters, isFiltered } = useUrlFilters(ORDER_FILTER_FIELDS)
  const filter = customerOrderFilterFrom(values)
  const { rows, total, hasMore, paging, failed, retry } = useServerList<Order>({
    size: PAGE_SIZE,
    queryKey: page => queryKeys.orderPage(userId, page, filter),
    load: async (page, signal) => {
      const { orders, totalCount, more } = await send(
        listOrders,
        { params: { userId }, query: { page, limit: PAGE_SIZE, ...filter } },
        { signal },
      )
      return { rows: orders, total: totalCount, hasMore: more }
    },
  })
  return (
    <div className={styles.orders}>
      <ListTable
        title={texts.part.orders}
        columns={COLUMNS}
        rows={rows}
        rowKey={orderKey}
        rowTone={({ status }) => ORDER_STATUS_TONE[status]}
        paging={paging}
        loadingText={orderTexts.loading}
        note={total === undefined ? '' : orderTexts.count(total, hasMore)}
        empty={isFiltered ? texts.noneFound : { title: texts.none }}
        filters={
          <OrderFilters
            values={values}
            setFilters={setFilters}
            found={isFiltered && total !== undefined ? orderTexts.found(total, hasMore) : ''}
          />
        }
        errorNotice={
          failed && <LoadErrorNotice onRetry={retry}>{orderTexts.failed}</LoadErrorNotice>
        }
        card={orderCard}
      />
    </div>
  )
}
