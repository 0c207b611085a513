import { useState } from 'react'
import { countText, numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { ReportDays, SalesReport } from '#contract/reports.ts'
import { ChartCard } from '#web/charts/ChartCard.tsx'
import { StackedBars } from '#web/charts/StackedBars.tsx'
import { dayText } from '#web/ui/calendar.ts'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { moneyText } from '#web/ui/money-text.ts'
import { salesChart } from './sales-series.ts'
import type { SalesView } from './sales-series.ts'
import { texts } from './texts.ts'
import { useSalesReport } from './use-reports.ts'
import styles from './Dashboard.module.css'

const t = texts.sales

export function LabelsChart({ days, heightPx }: { days: ReportDays; heightPx: number }) {
  const [view, setView] = useState<SalesView>('labels')
  const { data, isError, refetch } = useSalesReport(days)
  return (
    <ChartCard
      title={t.title[view]}
      className={styles.wide}
      action={
        <LinkButton bare onClick={() => setView(view === 'labels' ? 'spend' : 'labels')}>
          {t.showOther[view]}
        </LinkButton>
      }
      heightPx={heightPx}
      data={data}
      failed={isError ? { text: t.failed, onRetry: () => void refetch() } : null}
      empty={report =>
        report.services.length === 0
          ? { title: t.none(report.days.length), text: t.noneText }
          : null
      }
    >
      {report => <SalesBars report={report} view={view} heightPx={heightPx} />}
    </ChartCard>
  )
}

type SalesBarsProps = { report: SalesReport; view: SalesView; heightPx: number }

function SalesBars({ report, view, heightPx }: SalesBarsProps) {
  const { days, series, order, refunds, peak } = salesChart(report, view, t.other)
  const most =
    peak && (view === 'labels' ? countText(peak.value, t.label) : usdFromDollars(peak.value))
  return (
    <StackedBars
      name={t.title[view]}
      caption={
        <>
          {view === 'labels' ? labelsText(report) : spendText(report)}
          {peak && most && (
            <>
              {' '}
              {peak.count > 1 ? (
                t.busiestDays(most, countText(peak.count, t.day))
              ) : (
                <>
                  {t.busiest} <span className={styles.day}>{dayText(peak.day)}</span>
                  {t.peak(most)}
                </>
              )}
            </>
          )}
        </>
      }
      days={days}
      series={series}
      order={order}
      {...(refunds && { below: { name: t.refunded, values: refunds } })}
      totalName={view === 'labels' ? t.labels : t.charged}
      unit={view === 'labels' ? 'count' : 'usd'}
      heightPx={heightPx}
    />
  )
}

const labelsText = ({ totals, days }: SalesReport): string =>
  t.labelsIn(
    countText(totals.labels, t.label),
    days.length,
    totals.voided > 0 ? numberText(totals.voided) : null,
  )

const spendText = ({ totals, days }: SalesReport): string =>
  t.spentIn(
    moneyText(Math.round((totals.charged - totals.refunded) * 100) / 100),
    days.length,
    totals.refunded > 0 ? usdFromDollars(totals.refunded) : null,
  )
