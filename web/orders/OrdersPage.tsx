/** Every label of the user, newest first. */
import { IconClipboardCheck, IconDownload, IconReceiptRefund } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { exportOrders, listOrders } from '#contract/orders.ts'
import type { CustomerOrderFilter, Order } from '#contract/orders.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { urlFor, send } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { LabelPicture } from '#web/shell/EmptyPictures.tsx'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { HowItWorks } from '#web/ui/HowItWorks.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { orderCard } from './order-card.tsx'
import { ORDER_FILTER_FIELDS, customerOrderFilterFrom } from './order-filter.ts'
import { ORDER_STATUS_TONE } from './order-status.ts'
import { orderKey } from './order-text.ts'
import {
  OrderStatusPill,
  PdfLink,
  PriceCell,
  ReceiverCell,
  SenderCell,
  TrackingCell,
} from './OrderCells.tsx'
import { OrderFilters } from './OrderFilters.tsx'
import { OrderMenu } from './OrderMenu.tsx'
import type { OrderMenuActions } from './OrderMenu.tsx'
import { usePrinting } from './print/use-printing.tsx'
import { texts } from './texts.ts'
import { useOrderSelection } from './use-order-selection.tsx'
import styles from './Orders.module.css'

const PAGE_SIZE = 7
/** Labels waiting for the carrier settle within seconds; a void can take days. */
const REFRESH_MS = 3000
const REFRESH_VOIDS_MS = 10_000

export function OrdersPage() {
  const user = useUser()
  const { values, setFilters, isFiltered, clear } = useUrlFilters(ORDER_FILTER_FIELDS)
  const filter = customerOrderFilterFrom(values)
  const { rows, total, hasMore, paging, failed, retry } = useServerList<Order>({
    size: PAGE_SIZE,
    queryKey: page => queryKeys.orderPage(user._id, page, filter),
    load: async (page, signal) => {
      const query = { page, limit: PAGE_SIZE, ...filter }
      const { orders, totalCount, ...counted } = await send(
        listOrders,
        { params: { userId: user._id }, query },
        { signal },
      )
      return { rows: orders, total: totalCount, hasMore: counted.more }
    },
    refreshMs: orders => {
      if (orders.some(({ status }) => status === 'pending')) return REFRESH_MS
      return orders.some(isVoiding) && REFRESH_VOIDS_MS
    },
  })
  useBalanceRefresh(rows)
  const printing = usePrinting()
  const { selection, openVoid, voidDialog } = useOrderSelection(rows, {
    print: printing.open,
    refresh: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.orders(user._id) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.batches(user._id) }),
        refreshUser(),
      ]),
  })
  const actions = { print: printing.open, openVoid }
  // Without orders there is nothing to filter or to export.
  const isIdle = !isFiltered && total === 0
  const [wasLoaded, setWasLoaded] = useState(false)
  if (rows && !wasLoaded) setWasLoaded(true)
  const count = !total ? '' : texts.count(total, hasMore)
  return (
    <div className={styles.page}>
      <ListTable
        title={texts.title}
        columns={columns(actions)}
        rows={rows}
        rowKey={orderKey}
        rowTone={({ status }) => ORDER_STATUS_TONE[status]}
        paging={paging}
        expectsPages
        loadingText={texts.loading}
        note={count}
        empty={
          isFiltered
            ? {
                title: texts.none,
                text: texts.noneNarrowed(values),
                action: <Button onClick={clear}>{texts.all}</Button>,
              }
            : {
                title: texts.none,
                text: texts.noneText,
                picture: <LabelPicture />,
                action: (
                  <>
                    <ButtonLink kind="ink" to="/main/order-label">
                      {texts.start}
                    </ButtonLink>
                    <ButtonLink to="/main/bulk-order">{texts.startWithFile}</ButtonLink>
                  </>
                ),
              }
        }
        action={!isIdle && !failed && <ListLinks userId={user._id} filter={filter} />}
        filters={
          // Over an error they would change nothing, unless they are what the server refuses, or are in use.
          !isIdle
          && (!failed || isFiltered || wasLoaded) && (
            <OrderFilters
              values={values}
              setFilters={setFilters}
              found={isFiltered && total !== undefined ? texts.found(total, hasMore) : ''}
            />
          )
        }
        errorNotice={
          failed && (
            <LoadErrorNotice text={texts.failedText} onRetry={retry}>
              {texts.failed}
            </LoadErrorNotice>
          )
        }
        selection={selection}
        loadingCard={wide => ({
          middle: wide ? 2 : 0,
          aside: wide ? 2 : 3,
          pillAt: 1,
          actions: true,
          actionsAt: 'end',
        })}
        card={(order, wide) => ({
          ...orderCard(order, wide),
          actions: (
            <>
              {wide && <PdfLink order={order} />}
              <OrderMenu order={order} {...actions} withPdf={!wide} />
            </>
          ),
          actionsAt: 'end',
        })}
      />
      {isIdle && <HowItWorks {...texts.how} />}
      {voidDialog}
      {printing.dialog}
    </div>
  )
}

const isVoiding = (order: Order): boolean => order.void === 'requested'

/** When a pending label or void settles, the balance changes and is loaded again. */
function useBalanceRefresh(rows: readonly Order[] | undefined): void {
  const waiting = (rows ?? [])
    .filter(order => order.status === 'pending' || isVoiding(order))
    .map(orderKey)
    .join()
  useEffect(() => (waiting === '' ? undefined : () => void refreshUser()), [waiting])
}

/** To the SCAN forms and refunds, and files with the orders that the list is narrowed to. */
function ListLinks({ userId, filter }: { userId: string; filter: CustomerOrderFilter }) {
  const isPhone = useIsPhone()
  const params = { userId }
  const pages = [
    { text: texts.endOfDay, icon: IconClipboardCheck, to: '/main/end-of-day' },
    { text: texts.refunds, icon: IconReceiptRefund, to: '/main/refunds' },
  ]
  const files = [
    {
      text: texts.export,
      icon: IconDownload,
      href: urlFor(exportOrders, { params, query: filter }),
    },
    {
      text: texts.exportWorkbook,
      icon: IconDownload,
      href: urlFor(exportOrders, { params, query: { ...filter, format: 'xlsx' } }),
    },
  ]
  if (isPhone) return <ActionMenu name={texts.listMenu} actions={[...pages, ...files]} />
  return (
    <span className={styles.exports}>
      {[...pages, ...files].map(link => {
        const { text, icon: LinkIcon } = link
        const look = {
          size: 'small',
          kind: 'quiet',
          icon: <LinkIcon aria-hidden="true" />,
        } as const
        return 'to' in link ? (
          <ButtonLink {...look} key={text} to={link.to}>
            {text}
          </ButtonLink>
        ) : (
          <ButtonLink {...look} key={text} target="_blank" href={link.href}>
            {text}
          </ButtonLink>
        )
      })}
    </span>
  )
}

/** The order of the specified heads is fixed; status, price and menu stand between them. */
const columns = (actions: OrderMenuActions): Column<Order>[] => [
  {
    head: texts.columns.service,
    share: 16,
    cell: ({ service_name: name }) => <span className={styles.service}>{name}</span>,
    loadingLines: ['11em'],
  },
  {
    head: texts.columns.sender,
    share: 10.3,
    cell: order => <SenderCell order={order} />,
    loadingLines: ['6.5em', '4em'],
  },
  {
    head: texts.columns.receiver,
    share: 11.2,
    cell: order => <ReceiverCell order={order} />,
    loadingLines: ['5.5em', '4.5em'],
  },
  {
    head: texts.columns.tracking,
    share: 22,
    cell: order => <TrackingCell order={order} />,
    loadingLines: ['15.5em'],
  },
  {
    head: texts.status,
    share: 9,
    cell: order => <OrderStatusPill order={order} />,
    loadingLines: ['6em'],
  },
  {
    head: texts.columns.price,
    share: 6.7,
    cell: order => <PriceCell order={order} />,
    align: 'end',
    loadingLines: ['2.5em'],
  },
  {
    head: texts.columns.added,
    share: 8.5,
    cell: ({ createdAt }) => <DateTime at={createdAt} stacked />,
    align: 'end',
    loadingLines: ['5.5em', '2.5em'],
  },
  {
    head: texts.columns.download,
    share: 7.6,
    cell: order => <PdfLink order={order} />,
    align: 'end',
    loadingLines: ['4.5em'],
  },
  {
    head: texts.actions,
    share: 4.8,
    cell: order => <OrderMenu order={order} {...actions} />,
    loadingLines: ['var(--control-small)'],
    hideHead: true,
    align: 'end',
  },
]
