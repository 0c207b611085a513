/** Revenue, carrier cost and margin: by day, by service and by customer; and why labels failed. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { countText, numberText, plural } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { REPORT_DAYS } from '#contract/reports.ts'
import type { ReportDays, Trade, TradeReport } from '#contract/reports.ts'
import { BarRows } from '#web/charts/BarRows.tsx'
import type { BarRow } from '#web/charts/BarRows.tsx'
import { ChartCard } from '#web/charts/ChartCard.tsx'
import { AVERAGE_DAYS, MarginBars } from '#web/charts/MarginBars.tsx'
import { shareText, trailingMeans } from '#web/charts/series.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { moneyText } from '#web/ui/money-text.ts'
import { Segments } from '#web/ui/Segments.tsx'
import { texts } from './texts.ts'
import { useTradeReport } from './use-dashboard.ts'
import styles from './AdminDashboard.module.css'

const t = texts.trade
const CHART_PX = 280
const LIST_PX = 160

type DaysProps = { days: ReportDays }

export function TradeCard({ days, onDays }: DaysProps & { onDays: (days: ReportDays) => void }) {
  return (
    <TradeChartCard
      title={t.title}
      className={styles.trade}
      days={days}
      heightPx={CHART_PX}
      action={
        <Segments
          block
          label={t.days}
          options={REPORT_DAYS.map(value => ({ value, text: t.period(value) }))}
          value={days}
          onChange={onDays}
        />
      }
      empty={report => (isQuiet(report) ? nothingIn(report, t.noneText) : null)}
    >
      {report => (
        <MarginBars
          name={t.title}
          caption={<TradeCaption report={report} />}
          days={report.days.map(({ day }) => day)}
          revenue={{ name: t.revenue, values: report.days.map(({ revenue }) => revenue) }}
          cost={{
            name: t.carrierCost,
            values: report.days.map(({ carrierCost }) => carrierCost),
          }}
          margin={{ name: t.margin, values: report.days.map(({ margin }) => margin) }}
          more={{ name: t.labels, textOf: day => numberText(report.days[day]!.labels) }}
          unit="usd"
          heightPx={CHART_PX}
        />
      )}
    </TradeChartCard>
  )
}

/** Of what is shown: another period that was chosen may still be loading. */
const periodOf = (report: TradeReport): number => report.days.length

const nothingIn = (report: TradeReport, text: string) => ({ title: t.none(periodOf(report)), text })

const isQuiet = ({ totals, services }: TradeReport): boolean =>
  totals.labels === 0 && services.length === 0

function TradeCaption({ report: { totals, days, losses, adjustments } }: { report: TradeReport }) {
  return (
    <>
      <strong>{t.margins(moneyText(totals.margin), days.length)}</strong>
      {totals.revenue > 0 && `, ${marginShare(totals)}`}.
      {days.length > AVERAGE_DAYS && ` ${weekText(days)}`}
      {losses.labels > 0
        && ` ${t.losses(countText(losses.labels, t.label), usdFromDollars(losses.lost))}`}
      {(adjustments.up > 0 || adjustments.down > 0)
        && ` ${t.adjustments(usdFromDollars(adjustments.up), usdFromDollars(adjustments.down))}`}
    </>
  )
}

function weekText(days: TradeReport['days']): string {
  const week = days.slice(-AVERAGE_DAYS)
  const perDay = trailingMeans(
    week.map(({ margin }) => margin),
    AVERAGE_DAYS,
  ).at(-1)!
  return t.week(moneyText(perDay), AVERAGE_DAYS)
}

/** '36% of $1,204.00'. */
const marginShare = ({ margin, revenue }: Trade): string =>
  revenue > 0 ? t.ofRevenue(shareText(margin / revenue), moneyText(revenue)) : moneyText(revenue)

export function ServiceMargins({ days }: DaysProps) {
  return (
    <TradeChartCard
      title={t.services}
      className={styles.services}
      foldedNote={({ totals }) => moneyText(totals.margin)}
      days={days}
      heightPx={LIST_PX}
      empty={report => (report.services.length === 0 ? nothingIn(report, t.noneInList) : null)}
    >
      {report => (
        <BarRows
          accent
          caption={t.servicesText(periodOf(report))}
          heads={[t.service, t.margin, t.share]}
          rows={report.services
            .map(service => marginRow(service.service, service.name, service))
            .toSorted((a, b) => b.value - a.value)}
        />
      )}
    </TradeChartCard>
  )
}

export function CustomerMargins({ days }: DaysProps) {
  return (
    <TradeChartCard
      title={t.customers}
      className={styles.customers}
      foldedNote={({ customers }) => countText(customers.length, t.customerCount)}
      days={days}
      heightPx={LIST_PX}
      empty={report => (report.customers.length === 0 ? nothingIn(report, t.noneInList) : null)}
    >
      {report => (
        <BarRows
          accent
          caption={t.customersText(report.customers.length, periodOf(report))}
          heads={[t.customer, t.margin, t.share]}
          rows={byMargin(report.customers).map(customer =>
            marginRow(
              customer.user._id,
              <span className={styles.person}>
                <Link
                  to={`/admin/user-management/${customer.user._id}/statement`}
                  aria-label={t.statementOf(customer.user.name)}
                >
                  {customer.user.name}
                </Link>
              </span>,
              customer,
            ),
          )}
        />
      )}
    </TradeChartCard>
  )
}

const byMargin = <Row extends Trade>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => b.margin - a.margin)

const marginRow = (key: string, name: ReactNode, trade: Trade): BarRow => ({
  key,
  name,
  value: trade.margin,
  text: moneyText(trade.margin),
  detail: marginShare(trade),
})

export function FailureReasons({ days }: DaysProps) {
  const { data } = useTradeReport(days)
  return (
    <TradeChartCard
      title={t.failures}
      className={styles.failures}
      foldedNote={({ failures }) => countText(failures.count, t.label)}
      action={
        data !== undefined
        && data.failures.count > 0 && (
          <ButtonLink
            kind="quiet"
            size="small"
            className={styles.showLabels}
            to="/admin/order-label-management?state=failed"
          >
            {t.showFailures}
          </ButtonLink>
        )
      }
      days={days}
      heightPx={LIST_PX}
      empty={report =>
        report.failures.count === 0
          ? { title: t.noFailures(periodOf(report)), text: t.noFailuresText }
          : null
      }
    >
      {report => <FailureRows report={report} />}
    </TradeChartCard>
  )
}

function FailureRows({ report }: { report: TradeReport }) {
  const { count, otherCount, reasons } = report.failures
  return otherCount === 0 && reasons.length === 1 ? (
    // One bar of the whole width would tell nothing.
    <dl className={styles.onlyFailure}>
      <dt>{reasons[0]!.reason || t.noReason}</dt>
      <dd>{numberText(count)}</dd>
      <dd>{t.onlyFailure(plural(count, t.label), periodOf(report))}</dd>
    </dl>
  ) : (
    <BarRows
      caption={t.failuresText(countText(count, t.label), periodOf(report))}
      heads={[t.reason, t.labels]}
      rows={[
        ...reasons.map(one => countRow(one.reason, one.reason || t.noReason, one.count)),
        ...(otherCount > 0 ? [countRow('other', t.otherReasons, otherCount)] : []),
      ]}
    />
  )
}

const countRow = (key: string, name: string, count: number): BarRow => ({
  key,
  name,
  value: count,
  text: numberText(count),
})

type TradeChartCardProps = DaysProps & {
  title: string
  heightPx: number
  action?: ReactNode
  className?: string | undefined
  foldedNote?: (report: TradeReport) => string
  empty: (report: TradeReport) => { title: string; text?: string } | null
  children: (report: TradeReport) => ReactNode
}

function TradeChartCard({ days, children, ...card }: TradeChartCardProps) {
  const { data, isError, refetch } = useTradeReport(days)
  return (
    <ChartCard
      {...card}
      data={data}
      failed={isError ? { text: t.failed, onRetry: () => void refetch() } : null}
    >
      {children}
    </ChartCard>
  )
}
