/** The movements of one wallet, with a filter. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { statement } from '#contract/ledger.ts'
import type { StatementEntry } from '#contract/ledger.ts'
import { usdFromDollars } from '#contract/money.ts'
import { movementText, STATEMENT_FILTERS } from '#contract/wallet-movements.ts'
import type { StatementFilter } from '#contract/wallet-movements.ts'
import { send } from '#web/client/send.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { Button } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { monthText } from '#web/ui/date-text.ts'
import { DotLine } from '#web/ui/DotLine.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { NativeSelectField } from '#web/ui/Field.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { DateTime, Money } from '#web/ui/Value.tsx'
import { AdjustmentToggle } from './adjustments/Adjustments.tsx'
import { BatchLabels } from './BatchLabels.tsx'
import { dayRepeats } from './day-repeats.ts'
import { foldReleases } from './fold-releases.ts'
import type { StatementLine } from './fold-releases.ts'
import { MoreToggle } from './MoreToggle.tsx'
import type { MovementLinks } from './movement-links.ts'
import { monthsToChoose, nameOfMonth, useStatementFilters } from './statement-filters.ts'
import { texts } from './texts.ts'
import { useReceivers } from './use-receivers.ts'
import type { Receivers } from './use-receivers.ts'
import styles from './Statement.module.css'

const PAGE_SIZE = 25

type MovementsProps = {
  userId: string
  queryKey: (page: number, filter: string) => readonly unknown[]
  links: MovementLinks
  /** Names who each label is for. */
  withReceivers?: boolean
  empty: { title: string; text?: string; action?: ReactNode; picture?: ReactNode }
}

export function Movements({
  userId,
  queryKey,
  links,
  withReceivers = false,
  empty,
}: MovementsProps) {
  const { filter, month, isFiltered, setFilters, clear } = useStatementFilters()
  const { rows, total, paging, failed, retry } = useServerList<StatementEntry>({
    size: PAGE_SIZE,
    queryKey: page => queryKey(page, `${filter} ${month}`),
    load: async (page, signal) => {
      const { entries, totalCount } = await send(
        statement,
        {
          params: { userId },
          query: { page, limit: PAGE_SIZE, filter, ...(month && { month }) },
        },
        { signal },
      )
      return { rows: entries, total: totalCount }
    },
  })
  const receivers = useReceivers(withReceivers ? userId : null, namedOrders(rows ?? []))
  const lines = rows && foldReleases(rows)
  const repeats = dayRepeats(lines ?? [])
  const noneFound = {
    title: texts.noneOfKind,
    text: month ? texts.noneInMonth(nameOfMonth(month)) : texts.noneOfKindText,
    action: <Button onClick={clear}>{texts.showAll}</Button>,
  }
  return (
    <ListTable
      title={texts.title}
      columns={columnsFor({ userId, links, receivers, repeats })}
      rows={lines}
      rowKey={movementKeyOf}
      groupOf={({ at }) => (month ? texts.monthInUtc(nameOfMonth(month)) : monthText(at))}
      paging={paging}
      lines={1}
      loadingText={texts.loading}
      empty={isFiltered ? noneFound : empty}
      action={
        // Without transactions there is nothing to filter.
        (total !== 0 || isFiltered) && (
          <MovementFilters
            filter={filter}
            month={month}
            onFilter={setFilters}
            foundText={total === undefined || !isFiltered ? '' : texts.found(total)}
          />
        )
      }
      errorNotice={failed && <LoadErrorNotice onRetry={retry}>{texts.failed}</LoadErrorNotice>}
      card={(entry, wide) => ({
        title: <LineText entry={entry} receivers={receivers} twoLines={!wide} />,
        details: movementDetails(entry, { userId, links, wide }),
        middle: wide ? [] : [movementParts({ userId, entry, links })],
        aside: [
          <AmountCell key="amount" entry={entry} />,
          <span key="after">{texts.after(usdFromDollars(entry.balance))}</span>,
        ],
      })}
    />
  )
}

type MovementFiltersProps = {
  filter: StatementFilter
  month: string
  onFilter: (change: { show?: string; month?: string }) => void
  foundText: string
}

/** `foundText` is announced to screen readers. */
function MovementFilters({ filter, month, onFilter, foundText }: MovementFiltersProps) {
  return (
    <div className={styles.filters}>
      <NativeSelectField
        label={texts.month}
        hideLabel
        error={null}
        value={month}
        data={[
          { value: '', label: texts.allMonths },
          ...monthsToChoose(month).map(value => ({ value, label: nameOfMonth(value) })),
        ]}
        onChange={event => onFilter({ month: event.currentTarget.value })}
      />
      <NativeSelectField
        label={texts.filter}
        hideLabel
        error={null}
        value={filter}
        data={STATEMENT_FILTERS.map(value => ({ value, label: texts.filters[value] }))}
        onChange={event => {
          const { value } = event.currentTarget
          onFilter({ show: value === 'all' ? '' : value })
        }}
      />
      <span className="visually-hidden" role="status">
        {foundText}
      </span>
    </div>
  )
}

/** Entries have no id; together these fields are unique. */
const movementKeyOf = ({
  kind,
  at,
  orderId,
  batchId,
  invoiceId,
  round,
  balance,
}: StatementEntry): string => [kind, at, orderId, batchId, invoiceId, round, balance].join()

/** A hold is only the start of a payment; what comes in is told apart from all that goes out. */
const AmountCell = ({ entry: { kind, amount } }: { entry: StatementEntry }) => (
  <Money
    signed
    dollars={amount}
    className={cx(
      styles.amount,
      kind === 'hold' && styles.onHold,
      kind === 'carrier_charge' && styles.charged,
    )}
  />
)

/** Ids of the orders that have a line of their own. */
const namedOrders = (entries: readonly StatementEntry[]): string[] => [
  ...new Set(entries.map(({ orderId }) => orderId).filter(id => id !== undefined)),
]

type LineTextProps = {
  entry: StatementLine
  receivers: Receivers
  /** The receiver below the text in every row, whether or not there is room beside it. */
  twoLines?: boolean
}

/** 'Label ordered', and who the label is for. */
function LineText({ entry, receivers, twoLines = false }: LineTextProps) {
  const receiver = receivers.get(entry.orderId ?? '')
  const text = entry.folded ? texts.released(entry.folded.length) : movementText(entry)
  const parts = [
    <span key="text" className={isAdjustment(entry) ? styles.adjustment : undefined}>
      {text}
    </span>,
    receiver && (
      <span key="receiver" className={styles.receiver}>
        {receiver}
      </span>
    ),
  ]
  if (!twoLines) return <DotLine parts={parts} />
  return (
    <span className={styles.twoLines}>
      {parts[0]} {parts[1]}
    </span>
  )
}

/** By the carrier, after the label was paid: the reader did not expect it. */
const isAdjustment = ({ kind }: StatementEntry): boolean =>
  kind === 'carrier_charge' || kind === 'carrier_credit'

type PartsProps = { userId: string; entry: StatementLine; links: MovementLinks }
type ReasonCellProps = PartsProps & { receivers: Receivers }

function ReasonCell({ userId, entry, links, receivers }: ReasonCellProps) {
  return (
    <div className={styles.reason}>
      <LineText entry={entry} receivers={receivers} />
      {entry.note && <span className={styles.note}>{entry.note}</span>}
      {movementParts({ userId, entry, links })}
    </div>
  )
}

/** What a row opens to: the labels of a bulk order, or the evidence of a carrier's adjustment. */
function movementParts({ userId, entry, links }: PartsProps): ReactNode {
  if (entry.folded)
    return <FoldedLabels key="folded" entries={entry.folded} batch={entry.batchId!} links={links} />
  if (isBulkHold(entry))
    return <BatchLabels key="labels" userId={userId} batchId={entry.batchId} links={links} />
  return isAdjustment(entry) && entry.orderId ? (
    <AdjustmentToggle key="adjustments" userId={userId} orderId={entry.orderId} />
  ) : null
}

type FoldedLabelsProps = { entries: StatementEntry[]; batch: string; links: MovementLinks }

/** The labels that a line of several releases is about. */
function FoldedLabels({ entries, batch, links }: FoldedLabelsProps) {
  return (
    <MoreToggle texts={texts.folded} subject={texts.folded.of(entries.length, batch)}>
      <ul className={styles.labelList}>
        {entries.map(({ orderId = '', amount, balance }) => (
          <li key={orderId}>
            <Link to={links.order(orderId)} className={styles.labelName}>
              {texts.label(orderId)}
            </Link>
            <span className={styles.labelState}>{texts.after(usdFromDollars(balance))}</span>
            <Money signed dollars={amount} />
          </li>
        ))}
      </ul>
    </MoreToggle>
  )
}

/** The row of a bulk order opens to its labels. */
const isBulkHold = (entry: StatementEntry): entry is StatementEntry & { batchId: string } =>
  entry.kind === 'hold' && entry.batchId !== undefined

const relatedLinks = (
  { orderId, batchId, invoiceId }: StatementEntry,
  links: MovementLinks,
): ReactNode[] => [
  orderId && (
    <Link key="order" className={styles.link} to={links.order(orderId)}>
      {texts.label(orderId)}
    </Link>
  ),
  batchId && (
    <Link key="batch" className={styles.link} to={links.batch(batchId)}>
      {texts.batch(batchId)}
    </Link>
  ),
  invoiceId
    && (links.invoice ? (
      <Link key="invoice" className={styles.link} to={links.invoice}>
        {texts.invoice(invoiceId)}
      </Link>
    ) : (
      texts.invoice(invoiceId)
    )),
]

type MovementDetailsContext = {
  userId: string
  links: MovementLinks
  wide: boolean
}

/**
 * The details of a card. Where it is wide, they are one line that starts with the date; elsewhere date
 * and one link take a line: a label leads to its bulk order.
 */
function movementDetails(
  entry: StatementLine,
  { userId, links, wide }: MovementDetailsContext,
): ReactNode[] {
  const date = <DateTime key="at" at={entry.at} />
  if (wide) {
    const parts = movementParts({ userId, entry, links })
    return [date, ...relatedLinks(entry, links), entry.note, parts]
  }
  const [link] = relatedLinks(entry, links).filter(Boolean)
  return [entry.note, <DotLine key="about" parts={[date, link]} />]
}

type ColumnsContext = {
  userId: string
  links: MovementLinks
  receivers: Receivers
  /** The lines whose day is that of the line above. */
  repeats: ReadonlySet<StatementLine>
}

const columnsFor = ({
  userId,
  links,
  receivers,
  repeats,
}: ColumnsContext): Column<StatementLine>[] => [
  {
    head: texts.columns.at,
    share: 14,
    cell: entry =>
      repeats.has(entry) ? (
        <span className={styles.again}>
          <DateTime at={entry.at} clock />
        </span>
      ) : (
        <DateTime at={entry.at} stacked />
      ),
  },
  {
    head: texts.columns.reason,
    share: 36,
    cell: entry => <ReasonCell userId={userId} entry={entry} links={links} receivers={receivers} />,
  },
  {
    head: texts.columns.about,
    share: 22,
    cell: entry => <DotLine parts={relatedLinks(entry, links)} />,
  },
  { head: texts.columns.amount, cell: entry => <AmountCell entry={entry} />, align: 'end' },
  { head: texts.columns.balance, cell: ({ balance }) => <Money dollars={balance} />, align: 'end' },
]
