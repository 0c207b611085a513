/** What comes back for voided labels: pending, refunded, refused with the reason. */
import { IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { groupTracking } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { listRefunds, REFUND_STATES } from '#contract/refunds.ts'
import type { Refund, RefundState } from '#contract/refunds.ts'
import { totalOrdersQuery } from '#web/client/queries.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { RefundPicture } from '#web/shell/EmptyPictures.tsx'
import { BackLink } from '#web/ui/BackLink.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { dateText, monthText } from '#web/ui/date-text.ts'
import { DotLine } from '#web/ui/DotLine.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { FigureCard, FigureCards } from '#web/ui/FigureCards.tsx'
import { HowItWorks } from '#web/ui/HowItWorks.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { Segments } from '#web/ui/Segments.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import type { Tone } from '#web/ui/tone.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { DateTime, Money } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from './Refunds.module.css'

const PAGE_SIZE = 25
/** A carrier that decides at once answers within seconds. */
const REFRESH_MS = 10_000

const TONES: Record<RefundState, Tone> = { pending: 'yellow', refunded: 'green', refused: 'red' }
const FILTERS = ['all', ...REFUND_STATES] as const

export function RefundsPage() {
  const { _id: userId, balance } = useUser()
  const { state, setState } = useStateFilter()
  const { rows, total, paging, failed, retry } = useServerList<Refund>({
    size: PAGE_SIZE,
    queryKey: page => queryKeys.refunds(userId, page, state, balance),
    load: async (page, signal) => {
      const query = { page, limit: PAGE_SIZE, ...(state && { state }) }
      const { refunds, totalCount } = await send(
        listRefunds,
        { params: { userId }, query },
        { signal },
      )
      return { rows: refunds, total: totalCount }
    },
    refreshMs: refunds => refunds.some(isPending) && REFRESH_MS,
  })
  // The balance changes when a pending refund arrives.
  const pending = (rows ?? []).filter(isPending).length
  useEffect(() => void refreshUser(), [pending])
  const figures = useFigures()
  const isPhone = useIsPhone()
  const hasLabels = useHasLabels()
  // Without refunds there is nothing to filter.
  const isUnused = state === null && total === 0
  const filter = (
    <Segments
      label={texts.filter}
      options={FILTERS.map(value => ({
        value,
        text: texts.filterOf(
          texts.filters[value],
          value === 'all' ? figures?.totalCount : figures?.[value].count,
        ),
      }))}
      value={state ?? 'all'}
      onChange={setState}
      block
    />
  )
  return (
    <div className={styles.page}>
      <BackLink to="/main/orders">{texts.back}</BackLink>
      {figures && figures.totalCount > 0 && <Figures figures={figures} isPhone={isPhone} />}
      <ListTable
        title={texts.title}
        titleWhileEmpty={!isUnused}
        columns={COLUMNS}
        rows={rows}
        rowKey={({ orderId }) => orderId}
        groupOf={({ requestedAt }) => monthText(requestedAt)}
        paging={paging}
        loadingText={texts.loading}
        action={!isUnused && filter}
        empty={
          isUnused
            ? {
                title: texts.none,
                text: texts.noneText,
                picture: <RefundPicture />,
                action: hasLabels ? (
                  <ButtonLink kind="ink" to="/main/orders?status=completed">
                    {texts.toLabels}
                  </ButtonLink>
                ) : (
                  <ButtonLink to="/main/orders">{texts.toOrders}</ButtonLink>
                ),
              }
            : {
                title: texts.noneOfState,
                text: texts.noneOfStateText,
                action: <Button onClick={() => setState('all')}>{texts.showAll}</Button>,
              }
        }
        errorNotice={failed && <LoadErrorNotice onRetry={retry}>{texts.failed}</LoadErrorNotice>}
        card={row => ({
          title: <LabelLink refund={row} />,
          details: [
            <DotLine key="about" parts={[row.service, texts.label(row.orderId)]} />,
            <span key="number" className={styles.tracking}>
              {groupTracking(row.trackingNumber)}
            </span>,
          ],
          middle: [whyText(row) && <Why key="why" refund={row} />],
          aside: [
            <Amount key="amount" refund={row} />,
            <StatusPill key="state" tone={TONES[row.state]} quiet>
              {texts.states[row.state]}
            </StatusPill>,
            <DateTime key="at" at={row.requestedAt} day />,
          ],
        })}
      />
      {isUnused && <HowItWorks {...texts.how} />}
    </div>
  )
}

const isPending = ({ state }: Refund): boolean => state === 'pending'

const stateOf = (word: string | null): RefundState | null =>
  REFUND_STATES.find(state => state === word) ?? null

/** The filter, in the URL (`?state=pending`). */
function useStateFilter() {
  const [params, setParams] = useSearchParams()
  const setState = (state: RefundState | 'all') =>
    setParams(state === 'all' ? {} : { state }, { replace: true, preventScrollReset: true })
  return { state: stateOf(params.get('state')), setState }
}

/** True while unknown. */
function useHasLabels(): boolean {
  const { _id: userId } = useUser()
  const { data } = useQuery(totalOrdersQuery(userId))
  return data?.totalOrders !== 0
}

function useFigures() {
  const { _id: userId, balance } = useUser()
  return useQuery({
    queryKey: queryKeys.refunds(userId, 0, null, balance),
    queryFn: ({ signal }) =>
      send(listRefunds, { params: { userId }, query: { limit: 1 } }, { signal }),
    // A refund that is refused does not change the balance.
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.pending.count > 0 && REFRESH_MS,
  }).data
}

type FiguresProps = { figures: NonNullable<ReturnType<typeof useFigures>>; isPhone: boolean }

/** Cards of one weight; on phones a line each. */
function Figures({ figures, isPhone }: FiguresProps) {
  const { pending, refunded, automatic, refused } = figures
  return (
    <FigureCards name={texts.figures} even={!isPhone}>
      <FigureCard name={texts.refunded} value={<Sum dollars={refunded.amount} />}>
        <p className={styles.quiet}>{texts.refundedText(refunded.count)}</p>
      </FigureCard>
      <FigureCard name={texts.pending} value={<Sum dollars={pending.amount} />}>
        <p className={styles.quiet}>{texts.pendingText(pending.count)}</p>
      </FigureCard>
      {automatic.count > 0 && (
        <FigureCard name={texts.automatic} value={usdFromDollars(automatic.amount)}>
          <p className={styles.quiet}>{texts.automaticText(automatic.count)}</p>
        </FigureCard>
      )}
      <FigureCard name={texts.refused} value={<Sum dollars={refused.amount} />}>
        <p className={styles.quiet}>{texts.refusedText(refused.count)}</p>
      </FigureCard>
    </FigureCards>
  )
}

/** Nothing is not worth a look. */
const Sum = ({ dollars }: { dollars: number }) => (
  <span className={dollars === 0 ? styles.nothing : undefined}>{usdFromDollars(dollars)}</span>
)

/** Named after the receiver, as in the list of orders. Its chevron says that there is more. */
const LabelLink = ({ refund: { orderId, receiver } }: { refund: Refund }) => (
  <Link className={styles.link} to={`/main/orders/${orderId}`}>
    {receiver || texts.label(orderId)}
    <IconChevronRight aria-hidden="true" />
  </Link>
)

/** A refused refund moves no money. */
const Amount = ({ refund: { amount, state } }: { refund: Refund }) => (
  <Money dollars={amount} className={cx(styles.amount, state === 'refused' && styles.refused)} />
)

const LabelCell = ({ refund }: { refund: Refund }) => (
  <span className={styles.label}>
    <LabelLink refund={refund} />
    <span className={styles.quiet}>
      {texts.label(refund.orderId)}, {refund.service},{' '}
      <span className={styles.tracking}>{groupTracking(refund.trackingNumber)}</span>
    </span>
    <Why refund={refund} />
  </span>
)

function Why({ refund }: { refund: Refund }) {
  const text = whyText(refund)
  return text && <span className={styles.quiet}>{text}</span>
}

const dayOf = (at: string): string => dateText(new Date(at))

function whyText(refund: Refund): ReactNode {
  const { state, requestedAt, refundedAt, reason, automatic } = refund
  if (state === 'pending') return texts.pendingWhy(refund, dayOf)
  if (state === 'refused') return texts.refusedWhy(reason ?? '')
  // The day of the request stands beside it.
  const isLater = refundedAt !== null && dayOf(refundedAt) !== dayOf(requestedAt)
  if (!automatic && !isLater) return null
  return (
    <>
      {automatic && texts.unused}
      {automatic && isLater && '. '}
      {isLater && (
        <>
          {texts.refundedSince} <span className={styles.number}>{dayOf(refundedAt)}</span>
        </>
      )}
    </>
  )
}

const COLUMNS: Column<Refund>[] = [
  { head: texts.columns.label, share: 54, cell: row => <LabelCell refund={row} /> },
  {
    head: texts.columns.requested,
    share: 18,
    cell: ({ requestedAt }) => <DateTime at={requestedAt} stacked />,
  },
  {
    head: texts.columns.status,
    share: 16,
    cell: ({ state }) => (
      <StatusPill tone={TONES[state]} quiet>
        {texts.states[state]}
      </StatusPill>
    ),
  },
  { head: texts.columns.amount, cell: row => <Amount refund={row} />, align: 'end' },
]
