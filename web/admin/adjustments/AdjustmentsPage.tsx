/** The carrier's adjustments: files, who pays, and the list with its disputes. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  ADJUSTMENT_FILTERS,
  ADJUSTMENT_SUM_DAYS,
  listAllAdjustments,
} from '#contract/adjustments.ts'
import type { AdjustmentFilter, AdminAdjustment } from '#contract/adjustments.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import { groupTracking } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import type { TableFile } from '#web/client/table-file.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { ADJUSTMENT_TONE } from '#web/ledger/adjustments/AdjustmentReport.tsx'
import { texts as customerTexts } from '#web/ledger/adjustments/texts.ts'
import { Card } from '#web/ui/Card.tsx'
import { cx } from '#web/ui/cx.ts'
import { DotLine } from '#web/ui/DotLine.tsx'
import { ErrorLine, LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { NativeSelectField } from '#web/ui/Field.tsx'
import { FigureCard, FigureCards } from '#web/ui/FigureCards.tsx'
import { FileButton } from '#web/ui/FileButton.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { moneyText, signedMoneyText } from '#web/ui/money-text.ts'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { useOpened } from '#web/ui/use-opened.ts'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { DateTime, Money, TwoLines } from '#web/ui/Value.tsx'
import { DecisionButtons, DecisionDialog } from './Decisions.tsx'
import type { Decision } from './Decisions.tsx'
import { PreviewDialog } from './PreviewDialog.tsx'
import { needsReportDay, readAdjustmentFile, withReportDay } from './read-file.ts'
import { ReportDayDialog } from './ReportDayDialog.tsx'
import { Rules } from './Rules.tsx'
import { texts } from './texts.ts'
import styles from './Adjustments.module.css'

const PAGE_SIZE = 25
const CARDS_BELOW_PX = 960
const FILTER_FIELDS = ['show'] as const

export function AdjustmentsPage() {
  const list = useAdjustmentList()
  const sums = list.latestExtra ?? null
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <div className={styles.page}>
      <SumCards sums={sums} />
      <ErrorLine>{problem}</ErrorLine>
      <AdjustmentList list={list} sums={sums} upload={<Upload onProblem={setProblem} />} />
      <div className={styles.below}>
        <Card title={texts.rule.title}>
          <Rules />
        </Card>
      </div>
    </div>
  )
}

type Sums = Omit<ResponseData<typeof listAllAdjustments>, 'adjustments' | 'totalCount'>

/** `sums` is null while loading. */
function SumCards({ sums }: { sums: Sums | null }) {
  const t = texts.sums
  const dash = '–'
  const { passedOn, paid } = sums?.lastDays ?? {}
  const amount = (dollars: number | undefined) =>
    dollars === undefined ? dash : moneyText(dollars)
  return (
    <FigureCards name={t.name} even>
      <FigureCard name={t.paid} value={amount(paid)}>
        <p className={styles.quiet}>
          {sums ? t.ofCarrier(moneyText(sums.lastDays.paid + sums.lastDays.passedOn)) : dash},{' '}
          {t.lastDays(ADJUSTMENT_SUM_DAYS)}
        </p>
      </FigureCard>
      <FigureCard name={t.passedOn} value={amount(passedOn)}>
        <p className={styles.quiet}>{t.inLastDays(ADJUSTMENT_SUM_DAYS)}</p>
      </FigureCard>
      <FigureCard name={t.waiting} value={amount(sums?.waiting.amount)}>
        <p className={styles.quiet}>{sums ? t.charges(sums.waiting.count) : dash}</p>
      </FigureCard>
      <FigureCard name={t.disputed} value={amount(sums?.disputedAmount)}>
        <p className={styles.quiet}>{sums ? t.disputes(sums.disputed) : dash}</p>
      </FigureCard>
    </FigureCards>
  )
}

/** The button, and the dialogs that follow. */
function Upload({ onProblem }: { onProblem: (problem: string | null) => void }) {
  const [file, setFile] = useState<TableFile | null>(null)
  const [reading, setReading] = useState(false)
  const upload = async ([chosen]: File[]) => {
    if (!chosen) return
    onProblem(null)
    setReading(true)
    const read = await readAdjustmentFile(chosen).catch(() => ({ problem: texts.read.unreadable }))
    setReading(false)
    if ('problem' in read) onProblem(read.problem)
    else setFile(read)
  }
  return (
    <>
      <FileButton
        kind="ink"
        accept=".csv,.xlsx"
        busy={reading}
        onFiles={files => void upload(files)}
      >
        {texts.upload}
      </FileButton>
      {file && needsReportDay(file) && (
        <ReportDayDialog
          onDay={day => setFile(withReportDay(file, day))}
          onClose={() => setFile(null)}
        />
      )}
      {file && !needsReportDay(file) && <PreviewDialog file={file} onClose={() => setFile(null)} />}
    </>
  )
}

/** The adjustments of the chosen filter, with the sums of all. */
function useAdjustmentList() {
  const { _id: adminId } = useUser()
  const { values, setFilters } = useUrlFilters(FILTER_FIELDS)
  const show = ADJUSTMENT_FILTERS.find(known => known === values.show) ?? 'all'
  const list = useServerList<AdminAdjustment, Sums>({
    size: PAGE_SIZE,
    queryKey: page => queryKeys.allAdjustments(adminId, page, show),
    load: async (page, signal) => {
      const query = { page, limit: PAGE_SIZE, show }
      const { adjustments, totalCount, ...extra } = await send(
        listAllAdjustments,
        { query },
        { signal },
      )
      return { rows: adjustments, total: totalCount, extra }
    },
  })
  return { ...list, show, setFilters }
}

type AdjustmentListProps = {
  list: ReturnType<typeof useAdjustmentList>
  sums: Sums | null
  upload: ReactNode
}

function AdjustmentList({ list, sums, upload }: AdjustmentListProps) {
  const { rows, paging, failed, retry, show, setFilters } = list
  const { opened: decision, open, close } = useOpened<Decision>()
  const buttonsOf = (adjustment: AdminAdjustment) => (
    <DecisionButtons adjustment={adjustment} onDecide={open} />
  )
  return (
    <>
      <ListTable
        title={texts.title}
        titleWhileEmpty
        columns={[...COLUMNS, { ...ACTIONS_COLUMN, cell: buttonsOf }]}
        rows={rows}
        rowKey={({ _id }) => _id}
        paging={paging}
        loadingText={texts.loading}
        filters={
          <details className={styles.help}>
            <summary>{texts.formats.title}</summary>
            <ul>
              {texts.formats.lines.map(line => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        }
        action={
          <>
            <FilterField
              show={show}
              counts={sums}
              onShow={chosen => setFilters({ show: chosen === 'all' ? '' : chosen })}
            />
            {upload}
          </>
        }
        empty={{ title: texts.none, text: show === 'all' ? texts.noneText : texts.noneOfKind }}
        errorNotice={failed && <LoadErrorNotice onRetry={retry}>{texts.failed}</LoadErrorNotice>}
        rowTone={adjustment => (isDisputed(adjustment) ? 'yellow' : undefined)}
        cardsBelow={CARDS_BELOW_PX}
        card={adjustment => ({
          title: (
            <span className={styles.titleLine}>
              <LabelCell adjustment={adjustment} /> <StatePill adjustment={adjustment} />
            </span>
          ),
          details: [
            <span key="reason" className={styles.ink}>
              {adjustment.reason}
            </span>,
          ],
          middle: [
            <DotLine
              key="source"
              className={styles.quiet}
              parts={[adjustment.user?.name, ...sourceOf(adjustment)]}
            />,
            <ReasonNotes key="notes" adjustment={adjustment} />,
          ],
          aside: [
            <AmountCell key="amount" adjustment={adjustment} />,
            <CarrierLine key="carrier" adjustment={adjustment} />,
          ],
          actions: buttonsOf(adjustment),
          actionsAt: 'row',
        })}
      />
      {decision && <DecisionDialog decision={decision} onClose={() => close(decision)} />}
    </>
  )
}

type FilterFieldProps = {
  show: AdjustmentFilter
  counts: Sums | null
  onShow: (show: AdjustmentFilter) => void
}

function FilterField({ show, counts, onShow }: FilterFieldProps) {
  const countOf: Partial<Record<AdjustmentFilter, number>> = counts
    ? { disputed: counts.disputed, unmatched: counts.unmatched, waiting: counts.waiting.count }
    : {}
  return (
    <NativeSelectField
      label={texts.filter}
      hideLabel
      error={null}
      value={show}
      data={ADJUSTMENT_FILTERS.map(value => {
        const count = countOf[value]
        const name = texts.filters[value]
        return { value, label: count === undefined ? name : texts.filterCount(name, count) }
      })}
      onChange={event => onShow(event.currentTarget.value as AdjustmentFilter)}
    />
  )
}

type CellProps = { adjustment: AdminAdjustment }

const LabelCell = ({ adjustment: { orderId, trackingNumber } }: CellProps) =>
  orderId ? (
    <Link className={styles.label} to={`/admin/order-label-management/${orderId}`}>
      {texts.label(orderId)}
    </Link>
  ) : (
    <span className={styles.number}>{groupTracking(trackingNumber)}</span>
  )

const sourceOf = ({ day, createdAt, fileName }: AdminAdjustment) => [
  <DateTime key="day" at={day ? `${day}T12:00` : createdAt} day />,
  <span key="file" className={styles.file} title={fileName}>
    {fileName}
  </span>,
]

const ReasonCell = ({ adjustment }: CellProps) => (
  <div className={styles.reason}>
    {adjustment.reason}
    <DotLine className={styles.source} parts={sourceOf(adjustment)} />
    <ReasonNotes adjustment={adjustment} />
  </div>
)

/** What became of it: no label found, the void of its label, the customer's dispute and its answer. */
function ReasonNotes({ adjustment: { state, wasVoided, dispute } }: CellProps) {
  const isUnmatched = state === 'unmatched'
  if (!isUnmatched && !wasVoided && !dispute) return null
  return (
    <div className={styles.notes}>
      {isUnmatched && <span className={styles.quiet}>{texts.unmatched}</span>}
      {wasVoided && <span className={styles.quiet}>{texts.voided}</span>}
      {dispute && (
        <blockquote className={styles.dispute} data-open={dispute.state === 'open' || undefined}>
          <p>{texts.disputeNote(dispute.note)}</p>
          {dispute.answer && <p>{texts.answer(dispute.answer)}</p>}
        </blockquote>
      )}
    </div>
  )
}

const AmountCell = ({ adjustment: { amount, waiting } }: CellProps) => (
  <div className={styles.amount}>
    <Money signed dollars={amount} />
    {waiting > 0 && <span className={styles.quiet}>{texts.waits(usdFromDollars(waiting))}</span>}
  </div>
)

const CarrierLine = ({ adjustment: { carrierAmount } }: CellProps) => (
  <span className={cx(styles.quiet, styles.carrier)}>
    {texts.carrierAmount(signedMoneyText(carrierAmount))}
  </span>
)

const isDisputed = ({ dispute }: AdminAdjustment): boolean => dispute?.state === 'open'

const StatePill = ({ adjustment }: CellProps) => {
  const { state } = adjustment
  if (isDisputed(adjustment)) return <StatusPill tone="yellow">{texts.disputed}</StatusPill>
  return (
    <StatusPill tone={ADJUSTMENT_TONE[state]}>
      {state === 'absorbed' ? texts.preview.states.absorbed : customerTexts.states[state]}
    </StatusPill>
  )
}

const COLUMNS: Column<AdminAdjustment>[] = [
  { head: texts.heads.label, cell: adjustment => <LabelCell adjustment={adjustment} /> },
  {
    head: texts.heads.customer,
    cell: ({ user }) =>
      user ? (
        <div className={styles.customer}>
          <TwoLines first={user.name} second={user.email} />
        </div>
      ) : (
        '–'
      ),
    clip: true,
  },
  { head: texts.heads.evidence, cell: adjustment => <ReasonCell adjustment={adjustment} /> },
  {
    head: texts.heads.amount,
    cell: adjustment => (
      <>
        <AmountCell adjustment={adjustment} />
        <CarrierLine adjustment={adjustment} />
      </>
    ),
    align: 'end',
  },
  { head: texts.heads.state, cell: adjustment => <StatePill adjustment={adjustment} /> },
]

const ACTIONS_COLUMN = { head: texts.heads.actions, hideHead: true, align: 'end' } as const
