/** Every label of the user, newest first. */
import { IconDownload } from '@tabler/icons-react'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { downloadFile } from '#contract/downloads.ts'
import { groupTracking } from '#contract/format.ts'
import { listOrders } from '#contract/orders.ts'
import type { Order } from '#contract/orders.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { urlFor, send } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { dateText } from '#web/ui/date-text.ts'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { DateTime, TwoLines } from '#web/ui/Value.tsx'
import { ORDER_FILTER_FIELDS, customerOrderFilterFrom } from './order-filter.ts'
import { ORDER_STATUS_TONE, displayStatus } from './order-status.ts'
import { cityText, orderKey, receiverName } from './order-text.ts'
import { OrderFilters } from './OrderFilters.tsx'
import { ParcelLink } from './ParcelLink.tsx'
import type { Printable } from './print/print-options.ts'
import { texts as printTexts } from './print/texts.ts'
import { usePrinting } from './print/use-printing.tsx'
import { texts } from './texts.ts'
import { texts as voidTexts } from './void/texts.ts'
import { useVoidList } from './void/use-void-list.tsx'
import { canVoid } from './void/void-summary.ts'
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
  const { selection, open, dialog } = useVoidList(rows, {
    balanceOwner: 'own',
    refresh: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.orders(user._id) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.batches(user._id) }),
        refreshUser(),
      ]),
  })
  const printing = usePrinting()
  const filesOf = (order: Order) => {
    const printable = printableOrder(order)
    return (
      printable && (
        <span className={styles.files}>
          <DownloadLink order={order} />
          {printing.button(printable)}
        </span>
      )
    )
  }
  const actionsFor = (order: Order) => <VoidButton order={order} onVoid={() => open([order])} />
  const empty = isFiltered
    ? {
        title: texts.none,
        text: texts.noneNarrowed(values),
        action: <Button onClick={clear}>{texts.all}</Button>,
      }
    : {
        title: texts.none,
        text: texts.noneText,
        action: <ButtonLink to="/main/order-label">{texts.start}</ButtonLink>,
      }

  return (
    <>
      <ListTable
        title={texts.title}
        columns={columns(filesOf, actionsFor)}
        rows={rows}
        rowKey={orderKey}
        rowTone={({ status }) => ORDER_STATUS_TONE[status]}
        paging={paging}
        loadingText={texts.loading}
        empty={empty}
        action={
          <SearchField
            label={texts.search}
            hint={texts.searchHint}
            search={values.search}
            onSearch={search => setFilters({ search })}
            foundText={isFiltered && total !== undefined ? texts.found(total, hasMore) : ''}
          />
        }
        filters={<OrderFilters values={values} setFilters={setFilters} />}
        errorNotice={
          failed && (
            <Notice
              tone="red"
              action={
                <Button size="small" onClick={retry}>
                  {texts.tryAgain}
                </Button>
              }
            >
              {texts.failed}
            </Notice>
          )
        }
        selection={selection}
        card={order => ({
          title: order.receiver.receiver_name,
          details: [
            cityText(order.receiver, 'receiver'),
            <TrackingCell key="tracking" order={order} />,
          ],
          aside: [
            <OrderStatusPill key="status" order={order} />,
            <DateTime key="added" at={order.createdAt} stacked />,
          ],
          actions: order.pdfName ? (
            <>
              {filesOf(order)}
              {actionsFor(order)}
            </>
          ) : undefined,
        })}
      />
      {dialog}
      {printing.dialog}
    </>
  )
}

const printableOrder = (order: Order): Printable | null =>
  order.pdfName ? { pdfName: order.pdfName, name: printTexts.label(receiverName(order)) } : null
const isVoiding = (order: Order): boolean => order.void === 'requested'

/** When a pending label or void settles, the balance changes and is loaded again. */
function useBalanceRefresh(rows: readonly Order[] | undefined): void {
  const waiting = (rows ?? [])
    .filter(order => order.status === 'pending' || isVoiding(order))
    .map(orderKey)
    .join()
  useEffect(() => (waiting === '' ? undefined : () => void refreshUser()), [waiting])
}

type AddressSide = { side: Record<string, string>; name: 'sender' | 'receiver' }

const PersonCell = ({ side, name }: AddressSide) => (
  <TwoLines first={side[`${name}_name`] ?? ''} second={cityText(side, name)} />
)

function OrderStatusPill({ order }: { order: Order }) {
  const { tone, text } = displayStatus(order)
  return <StatusPill tone={tone}>{text}</StatusPill>
}

type OrderRenderer = (order: Order) => ReactNode

const columns = (filesOf: OrderRenderer, actionsFor: OrderRenderer): Column<Order>[] => [
  {
    head: texts.columns.service,
    cell: order => (
      <span className={styles.service}>
        {order.service_name}
        <OrderStatusPill order={order} />
      </span>
    ),
  },
  { head: texts.columns.sender, cell: ({ sender }) => <PersonCell side={sender} name="sender" /> },
  {
    head: texts.columns.receiver,
    cell: ({ receiver }) => <PersonCell side={receiver} name="receiver" />,
  },
  { head: texts.columns.tracking, cell: order => <TrackingCell order={order} /> },
  {
    head: texts.columns.added,
    cell: ({ createdAt }) => <DateTime at={createdAt} stacked />,
    align: 'end',
  },
  { head: texts.columns.download, cell: filesOf, align: 'end' },
  { head: texts.actions, cell: actionsFor, hideHead: true, align: 'end' },
]

/** The tracking number, and the reason if there is one. A voided label has both. */
function TrackingCell({ order }: { order: Order }) {
  const { tracking_number: tracking } = order
  const why = orderReason(order)
  return (
    <span className={styles.tracking}>
      {tracking && <CopyText value={tracking}>{groupTracking(tracking)}</CopyText>}
      {why && <span className={styles.reason}>{why}</span>}
      <ParcelLink order={order} />
    </span>
  )
}

function orderReason({
  tracking_number: tracking,
  reason,
  status,
  void: voidStatus,
  voidSubmittedAt,
}: Order): string {
  if (voidStatus === 'requested')
    return voidSubmittedAt ? texts.voidSubmitted(dateText(voidSubmittedAt)) : texts.voidWaits
  if (voidStatus === 'refused' && reason) return texts.notVoided(reason)
  return reason || (status === 'pending' && !tracking ? texts.waiting : '')
}

const DownloadLink = ({ order }: { order: Order }) => (
  <ButtonLink
    size="small"
    target="_blank"
    href={urlFor(downloadFile, { params: { kind: 'v2', name: order.pdfName } })}
    icon={<IconDownload aria-hidden="true" />}
    aria-label={texts.downloadName(receiverName(order))}
  >
    {texts.download}
  </ButtonLink>
)

const VoidButton = ({ order, onVoid }: { order: Order; onVoid: () => void }) =>
  canVoid(order) && (
    <Button
      size="small"
      kind="quiet"
      onClick={onVoid}
      aria-label={voidTexts.voidName(receiverName(order))}
    >
      {voidTexts.void}
    </Button>
  )
