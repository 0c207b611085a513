/** Every label of every customer: found, looked into, voided (specification, 2, leaves the page open). */
import { IconDownload } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { allOrders, ordersCsv } from '#contract/admin.ts'
import type { AdminOrder } from '#contract/admin.ts'
import { groupTracking } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { keys } from '#web/client/keys.ts'
import { queries } from '#web/client/query.ts'
import { addressOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { ORDER_TONE } from '#web/orders/order-status.ts'
import { Parcel } from '#web/orders/Parcel.tsx'
import { useVoidList } from '#web/orders/void/use-void-list.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { useUrlFields } from '#web/ui/use-url-fields.ts'
import { DateTime, TwoLines } from '#web/ui/Value.tsx'
import { FIELDS, filterOf } from './filter.ts'
import { Filters } from './Filters.tsx'
import { isMoving, STATE_TONE, STATE_WORD, whyOf } from './order-state.ts'
import { texts } from './texts.ts'
import styles from './Orders.module.css'

const ROWS = 20
const REFRESH_MS = 5000

export function OrderLabelManagementPage() {
  const admin = useUser()
  const { values, put, any, clear } = useUrlFields(FIELDS)
  const filter = filterOf(values)
  const { rows, total, more, paging, failed, again } = useServerList<AdminOrder>({
    size: ROWS,
    queryKey: page => keys.allOrdersPage(admin._id, page, filter),
    load: async (page, signal) => {
      const { orders, totalCount, ...counted } = await send(
        allOrders,
        { query: { ...filter, page, limit: ROWS } },
        { signal },
      )
      return { rows: orders, total: totalCount, more: counted.more }
    },
    refreshMs: orders => orders.some(isMoving) && REFRESH_MS,
  })
  const { selection, dialog } = useVoidList(rows, {
    purse: 'customer',
    refresh: () => queries.invalidateQueries({ queryKey: keys.allOrders(admin._id) }),
  })
  const count = total === undefined ? '' : texts.count(total, more)
  return (
    <>
      <ListTable
        title={texts.title}
        columns={COLUMNS}
        rows={rows}
        rowKey={keyOf}
        rowTone={({ status }) => ORDER_TONE[status]}
        paging={paging}
        loadingText={texts.loading}
        note={count}
        action={
          <>
            {any && (
              <Button kind="quiet" onClick={clear}>
                {texts.clear}
              </Button>
            )}
            <ButtonLink
              href={addressOf(ordersCsv, { query: filter })}
              target="_blank"
              icon={<IconDownload aria-hidden="true" />}
            >
              {texts.export}
            </ButtonLink>
          </>
        }
        tools={<Filters values={values} put={put} found={any ? count : ''} />}
        empty={
          any
            ? {
                title: texts.none,
                text: texts.noneNarrowed,
                action: <Button onClick={clear}>{texts.clear}</Button>,
              }
            : { title: texts.none, text: texts.noneText }
        }
        failed={
          failed && (
            <Notice
              tone="red"
              action={
                <Button size="small" onClick={again}>
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
          title: <Open order={order} />,
          details: [
            nameOf(order),
            placeOf(order),
            order.user.name,
            <Tracking key="tracking" order={order} />,
          ],
          aside: [
            <State key="state" order={order} />,
            <DateTime key="at" at={order.createdAt} stacked />,
            usdFromDollars(order.price),
          ],
        })}
      />
      {dialog}
    </>
  )
}

const keyOf = ({ _id }: AdminOrder): string => _id
const nameOf = ({ receiver }: AdminOrder): string => receiver.receiver_name ?? ''
const placeOf = ({ receiver }: AdminOrder): string =>
  [receiver.receiver_city, receiver.receiver_state_province].filter(Boolean).join(', ')

const State = ({ order: { state } }: { order: AdminOrder }) => (
  <StatusPill tone={STATE_TONE[state]}>{STATE_WORD[state]}</StatusPill>
)

const Person = ({ name, more }: { name: string; more: string }) => (
  <span className={styles.cut} title={[name, more].filter(Boolean).join(', ')}>
    <span>{name}</span> <span className={styles.second}>{more}</span>
  </span>
)

const COLUMNS: Column<AdminOrder>[] = [
  {
    head: texts.columns.label,
    cell: order => (
      <span className={styles.name}>
        <Open order={order} /> <DateTime at={order.createdAt} />
      </span>
    ),
  },
  { head: texts.columns.user, cell: ({ user }) => <Person name={user.name} more={user.email} /> },
  {
    head: texts.columns.service,
    cell: order => (
      <span className={styles.service}>
        <span>{order.service_name}</span>
        <State order={order} />
      </span>
    ),
  },
  {
    head: texts.columns.receiver,
    cell: order => <Person name={nameOf(order)} more={placeOf(order)} />,
  },
  { head: texts.columns.tracking, cell: order => <Tracking order={order} /> },
  {
    head: texts.columns.batch,
    cell: ({ batch_id: batch, row }) =>
      batch !== null && <TwoLines first={batch} second={row === null ? '' : texts.row(row)} />,
  },
  {
    head: texts.columns.price,
    align: 'end',
    cell: ({ price, cost }) => (
      <span className={styles.price}>
        {usdFromDollars(price)}{' '}
        {cost !== null && <span className={styles.second}>{texts.cost(usdFromDollars(cost))}</span>}
      </span>
    ),
  },
]

function Tracking({ order }: { order: AdminOrder }) {
  const { tracking_number: tracking } = order
  const why = whyOf(order)
  return (
    <span className={styles.tracking}>
      {tracking && <CopyText value={tracking}>{groupTracking(tracking)}</CopyText>}
      {why && <span className={styles.why}>{why}</span>}
      <Parcel order={order} />
    </span>
  )
}

/** To the label's story; the way back leads to the list as it was. */
function Open({ order: { _id } }: { order: AdminOrder }) {
  const { search } = useLocation()
  return (
    <Link
      to={`/admin/order-label-management/${_id}`}
      state={{ list: search }}
      className={styles.open}
    >
      {texts.label(_id)}
    </Link>
  )
}
