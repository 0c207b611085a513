/** Every label of every customer: search, open, void. */
import { IconDownload } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { groupTracking, numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { exportOrdersCsv, listAllOrders, MAX_SUMMED_LABELS } from '#contract/orders-admin.ts'
import type { AdminOrder, OrderSums } from '#contract/orders-admin.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { urlFor, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { ORDER_STATUS_TONE } from '#web/orders/order-status.ts'
import { cityText, orderKey, receiverName } from '#web/orders/order-text.ts'
import { ParcelLink } from '#web/orders/ParcelLink.tsx'
import { useVoidList } from '#web/orders/void/use-void-list.tsx'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { FigureList } from '#web/ui/Card.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { dateText } from '#web/ui/date-text.ts'
import { DotLine } from '#web/ui/DotLine.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { moneyText } from '#web/ui/money-text.ts'
import type { RowCard } from '#web/ui/RowCards.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { ADMIN_ORDER_FILTER_FIELDS, adminOrderFilterFrom } from './admin-order-filter.ts'
import { AdminOrderChips, AdminOrderFilters } from './AdminOrderFilters.tsx'
import { isInProgress, STATE_TONE, STATE_TEXT, stateReason } from './order-state.ts'
import { texts } from './texts.ts'
import styles from './OrderLabelManagement.module.css'

const PAGE_SIZE = 20
const REFRESH_MS = 5000

export function OrderLabelManagementPage() {
  const admin = useUser()
  const phone = useIsPhone()
  const { values, setFilters, isFiltered, clear } = useUrlFilters(ADMIN_ORDER_FILTER_FIELDS)
  const filter = adminOrderFilterFrom(values)
  const {
    rows,
    total,
    hasMore,
    extra: sums,
    paging,
    failed,
    retry,
  } = useServerList<AdminOrder, OrderSums | null>({
    size: PAGE_SIZE,
    queryKey: page => queryKeys.allOrdersPage(admin._id, page, filter),
    load: async (page, signal) => {
      const {
        orders,
        totalCount,
        sums: summed,
        ...counted
      } = await send(listAllOrders, { query: { ...filter, page, limit: PAGE_SIZE } }, { signal })
      return { rows: orders, total: totalCount, hasMore: counted.more, extra: summed }
    },
    refreshMs: orders => orders.some(isInProgress) && REFRESH_MS,
  })
  const { selection, dialog } = useVoidList(rows, {
    balanceOwner: 'customer',
    refresh: () => queryClient.invalidateQueries({ queryKey: queryKeys.allOrders(admin._id) }),
  })
  const count = total === undefined ? '' : texts.count(total, hasMore)
  return (
    <>
      <ListTable
        title={texts.title}
        columns={filter.batchId ? COLUMNS_OF_BATCH : COLUMNS}
        rows={rows}
        rowKey={orderKey}
        rowTone={({ status }) => (status === 'completed' ? undefined : ORDER_STATUS_TONE[status])}
        paging={paging}
        loadingText={texts.loading}
        // A phone has a chip for the bulk order.
        note={count && filter.batchId && !phone ? texts.inBatch(count, filter.batchId) : count}
        action={<ListActions filter={filter} />}
        filters={
          <>
            <AdminOrderFilters
              values={values}
              setFilters={setFilters}
              found={isFiltered ? count : ''}
            />
            {isFiltered && (
              <div className={styles.found}>
                {phone ? (
                  <AdminOrderChips values={values} setFilters={setFilters} onClear={clear} />
                ) : (
                  // The fields are in sight: what they are set to need not be said again.
                  <Button size="small" onClick={clear}>
                    {texts.clear}
                  </Button>
                )}
                {total !== 0 && (
                  <div className={styles.sums}>
                    <Sums
                      total={total}
                      sums={sums}
                      isTooMany={hasMore || (total ?? 0) > MAX_SUMMED_LABELS}
                    />
                  </div>
                )}
              </div>
            )}
          </>
        }
        empty={
          isFiltered
            ? {
                title: texts.none,
                text: filter.search && !filter.userId ? texts.noneNamed : texts.noneNarrowed,
                action: <Button onClick={clear}>{texts.clear}</Button>,
              }
            : { title: texts.none, text: texts.noneText }
        }
        errorNotice={failed && <LoadErrorNotice onRetry={retry}>{texts.failed}</LoadErrorNotice>}
        selection={selection}
        // The day stands once above its labels on a phone, whose rows then need one line less.
        groupOf={phone ? ({ createdAt }) => dateText(createdAt) : undefined}
        card={(order, wide) => labelCard(order, wide, phone)}
      />
      {dialog}
    </>
  )
}

/** On phones in one menu in the line of the title. */
function ListActions({ filter }: { filter: ReturnType<typeof adminOrderFilterFrom> }) {
  const files = [
    { text: texts.export, icon: IconDownload, href: urlFor(exportOrdersCsv, { query: filter }) },
    {
      text: texts.exportWorkbook,
      icon: IconDownload,
      href: urlFor(exportOrdersCsv, { query: { ...filter, format: 'xlsx' } }),
    },
  ]
  if (useIsPhone()) return <ActionMenu name={texts.listMenu} actions={files} />
  return (
    <>
      {files.map(({ text, icon: FileIcon, href }) => (
        <ButtonLink key={text} href={href} target="_blank" icon={<FileIcon aria-hidden="true" />}>
          {text}
        </ButtonLink>
      ))}
    </>
  )
}

type SumsProps = {
  /** Undefined while they load, as `sums`. */
  total: number | undefined
  sums: OrderSums | null | undefined
  isTooMany: boolean
}

/** What the found labels sold for and cost; dashes while they load. */
function Sums({ total, sums, isTooMany }: SumsProps) {
  const t = texts.sums
  if (isTooMany) return t.tooMany(MAX_SUMMED_LABELS)
  const items = [
    { name: t.bought, value: sums && total !== undefined && t.of(sums.bought, total) },
    { name: t.price, value: sums && usdFromDollars(sums.price) },
    { name: t.cost, value: sums && usdFromDollars(sums.cost) },
    { name: t.margin, value: sums && moneyText(sums.margin) },
  ]
  return (
    <div role="group" aria-label={t.name}>
      <FigureList
        items={items.map(({ name, value }) => ({ name, value: value || texts.noPrice }))}
      />
      {sums && sums.unknownCosts > 0 && (
        <p className={styles.second}>{t.unknownCosts(sums.unknownCosts)}</p>
      )}
    </div>
  )
}

const StatePill = ({ order: { state } }: { order: AdminOrder }) => (
  // The edge of the row tells what did not go well.
  <StatusPill tone={STATE_TONE[state]} quiet>
    {STATE_TEXT[state]}
  </StatusPill>
)

const PersonCell = ({ name, more }: { name: string; more: string }) => (
  <span className={styles.cut} title={[name, more].filter(Boolean).join(', ')}>
    <span>{name}</span> <span className={styles.second}>{more}</span>
  </span>
)

/** `wide`: with the service. `dated`: a group above the card names the day. */
function labelCard(order: AdminOrder, wide: boolean, dated: boolean): RowCard {
  const receiver = receiverName(order)
  const place = cityText(order.receiver, 'receiver')
  const at = <DateTime key="at" at={order.createdAt} {...(dated && { clock: true })} />
  if (!wide)
    return {
      title: (
        <span className={styles.titleLine}>
          <LabelLink order={order} /> <StatePill order={order} />
        </span>
      ),
      details: [
        <span key="people" className={styles.oneLine}>
          {texts.fromTo(order.user.name, receiver)}
        </span>,
      ],
      middle: [
        <span key="parcel" className={styles.cardFoot}>
          <TrackingCell order={order} /> <span className={styles.second}>{at}</span>
        </span>,
      ],
      aside: [<AdminPrice key="price" order={order} brief />],
    }
  return {
    title: <LabelLink order={order} />,
    details: [
      <DotLine key="to" parts={[receiver, place]} />,
      <span key="by" className={styles.second}>
        <DotLine parts={[texts.by(order.user.name), at]} />
      </span>,
    ],
    middle: [
      <TrackingCell key="tracking" order={order} />,
      <span key="service" className={styles.second}>
        {order.service_name}
      </span>,
    ],
    aside: [<AdminPrice key="price" order={order} />, <StatePill key="state" order={order} />],
  }
}

/** The price, whether it was not charged in the end, and what the carrier takes; `brief`: only the first of these notes. */
function AdminPrice({
  order: { price, cost, state },
  brief = false,
}: {
  order: AdminOrder
  brief?: boolean
}) {
  const notes = [
    state === 'failed' && (brief ? texts.notChargedBrief : texts.notCharged(usdFromDollars(price))),
    state === 'voided' && texts.refunded,
    cost !== null && texts.cost(usdFromDollars(cost)),
  ].filter(Boolean)
  return (
    <span className={styles.price}>
      {state === 'failed' ? texts.noPrice : usdFromDollars(price)}{' '}
      {notes.length > 0 && (
        <span className={styles.second}>{brief ? notes[0] : notes.join(', ')}</span>
      )}
    </span>
  )
}

const columnsWith = (batch: Column<AdminOrder>): Column<AdminOrder>[] => [
  {
    head: texts.columns.label,
    cell: order => (
      <span className={styles.name}>
        <LabelLink order={order} /> <DateTime at={order.createdAt} />
      </span>
    ),
  },
  {
    head: texts.columns.user,
    cell: ({ user }) => <PersonCell name={user.name} more={user.email} />,
  },
  {
    head: texts.columns.service,
    cell: order => (
      <span className={styles.service}>
        <span>{order.service_name}</span>
        <StatePill order={order} />
      </span>
    ),
  },
  {
    head: texts.columns.receiver,
    cell: order => (
      <PersonCell name={receiverName(order)} more={cityText(order.receiver, 'receiver')} />
    ),
  },
  { head: texts.columns.tracking, cell: order => <TrackingCell order={order} /> },
  batch,
  {
    head: texts.columns.price,
    align: 'end',
    cell: order => <AdminPrice order={order} />,
  },
]

const COLUMNS = columnsWith({
  head: texts.columns.batch,
  cell: ({ batch_id: batch, row }) =>
    batch !== null && (
      <span className={styles.batchCell}>
        <BatchLink batch={batch} />{' '}
        {row !== null && <span className={styles.second}>{texts.row(row)}</span>}
      </span>
    ),
})

/** Of one bulk order, which is named beside the title. */
const COLUMNS_OF_BATCH = columnsWith({
  head: texts.columns.row,
  align: 'end',
  cell: ({ row }) => row !== null && numberText(row),
})

function TrackingCell({ order }: { order: AdminOrder }) {
  const { tracking_number: tracking } = order
  const why = stateReason(order)
  return (
    <span className={styles.tracking}>
      {tracking && <CopyText value={tracking}>{groupTracking(tracking)}</CopyText>}
      {why && <span className={styles.why}>{why}</span>}
      <ParcelLink order={order} />
    </span>
  )
}

/** To all labels of a bulk order, unless the list shows them already. */
function BatchLink({ batch }: { batch: string }) {
  const search = `?batchId=${batch}`
  if (useLocation().search === search) return batch
  return (
    <Link to={{ search }} aria-label={texts.labelsOfBatch(batch)} className={styles.batchLink}>
      {batch}
    </Link>
  )
}

/** Links to the label's details; their back link returns to the same list. */
function LabelLink({ order: { _id } }: { order: AdminOrder }) {
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
