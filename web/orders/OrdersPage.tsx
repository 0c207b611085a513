/** Every label of the user, newest first (specification, 2: Orders list page). */
import { IconDownload } from '@tabler/icons-react'
import { groupTracking } from '#contract/format.ts'
import { download, listOrders } from '#contract/orders.ts'
import type { Order } from '#contract/orders.ts'
import { keys } from '#web/client/keys.ts'
import { addressOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { DateTime, TwoLines } from '#web/ui/Value.tsx'
import { ORDER_TONE, ORDER_WORD } from './order-status.ts'
import styles from './Orders.module.css'
import { SearchBox } from './SearchBox.tsx'
import { texts } from './texts.ts'
import { useSearch } from './use-search.ts'

/** Specification, 9. */
const ROWS = 7
/** Labels that wait for the carrier settle within seconds. */
const REFRESH_MS = 3000

export function OrdersPage() {
  const user = useUser()
  const { search, setSearch } = useSearch()
  const { rows, total, paging, failed, again } = useServerList<Order>({
    size: ROWS,
    queryKey: page => keys.orderPage(user._id, page, search),
    load: async (page, signal) => {
      const query = { page, limit: ROWS, ...(search && { search }) }
      const { orders, totalCount } = await send(listOrders, { params: { userId: user._id }, query }, { signal })
      return { rows: orders, total: totalCount }
    },
    refreshMs: orders => orders.some(({ status }) => status === 'pending') && REFRESH_MS,
  })
  const empty = search
    ? { title: texts.none, text: texts.noneSearched(search), action: <Button onClick={() => setSearch('')}>{texts.all}</Button> }
    : { title: texts.none, text: texts.noneText, action: <ButtonLink to="/main/order-label">{texts.start}</ButtonLink> }

  return (
    <ListTable title={texts.title} columns={COLUMNS} rows={rows} rowKey={({ _id }) => _id} rowTone={({ status }) => ORDER_TONE[status]}
      paging={paging} loadingText={texts.loading} empty={empty}
      action={<SearchBox search={search} onSearch={setSearch} found={search && total !== undefined ? texts.found(total) : ''} />}
      failed={failed && <Notice tone="red" action={<Button size="small" onClick={again}>{texts.tryAgain}</Button>}>{texts.failed}</Notice>}
      card={order => ({
        title: order.receiver.receiver_name,
        details: [placeOf({ side: order.receiver, name: 'receiver' }), <Tracking key="tracking" order={order} />],
        aside: [<Status key="status" order={order} />, <DateTime key="added" at={order.createdAt} stacked />],
        actions: order.pdfName ? <Download order={order} /> : undefined,
      })} />
  )
}

type Side = { side: Record<string, string>, name: 'sender' | 'receiver' }

const placeOf = ({ side, name }: Side): string => [side[`${name}_city`], side[`${name}_state_province`]].filter(Boolean).join(', ')
const Person = ({ side, name }: Side) => <TwoLines first={side[`${name}_name`] ?? ''} second={placeOf({ side, name })} />

const Status = ({ order: { status } }: { order: Order }) => <StatusPill tone={ORDER_TONE[status]}>{ORDER_WORD[status]}</StatusPill>

const COLUMNS: Column<Order>[] = [
  { head: texts.columns.service, cell: order => <span className={styles.service}>{order.service_name}<Status order={order} /></span> },
  { head: texts.columns.sender, cell: ({ sender }) => <Person side={sender} name="sender" /> },
  { head: texts.columns.receiver, cell: ({ receiver }) => <Person side={receiver} name="receiver" /> },
  { head: texts.columns.tracking, cell: order => <Tracking order={order} /> },
  { head: texts.columns.added, cell: ({ createdAt }) => <DateTime at={createdAt} stacked />, align: 'end' },
  { head: texts.columns.download, cell: order => (order.pdfName ? <Download order={order} /> : null), align: 'end' },
]

/** The number, which copies itself; or why there is none. A voided label has both: a number, and the reason it is cancelled. */
function Tracking({ order: { tracking_number: tracking, reason, status } }: { order: Order }) {
  const why = reason || (status === 'pending' && !tracking ? texts.waiting : '')
  return (
    <span className={styles.tracking}>
      {tracking && <CopyText value={tracking}>{groupTracking(tracking)}</CopyText>}
      {why && <span className={styles.reason}>{why}</span>}
    </span>
  )
}

const Download = ({ order: { pdfName, receiver } }: { order: Order }) => (
  <ButtonLink size="small" target="_blank" href={addressOf(download, { params: { kind: 'v2', name: pdfName } })}
    icon={<IconDownload aria-hidden="true" />} aria-label={texts.downloadName(receiver.receiver_name ?? '')}>{texts.download}</ButtonLink>
)
