/** The balance over time, with how long it lasts. */
import type { ReactNode } from 'react'
import { countText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { LOW_BALANCE_DAYS } from '#contract/reports.ts'
import type { BalanceReport, ReportDays } from '#contract/reports.ts'
import { BalanceCurve } from '#web/charts/BalanceCurve.tsx'
import { ChartCard } from '#web/charts/ChartCard.tsx'
import { texts } from './texts.ts'
import { useBalanceReport } from './use-balance-report.ts'

const t = texts.curve

type BalanceCardProps = {
  days: ReportDays
  heightPx: number
  action?: ReactNode
}

export function BalanceCard({ days, heightPx, action }: BalanceCardProps) {
  const { data, isError, refetch } = useBalanceReport(days)
  return (
    <ChartCard
      title={t.title}
      action={action}
      heightPx={heightPx}
      data={data}
      failed={isError ? { text: t.failed, onRetry: () => void refetch() } : null}
      empty={report => (isUnused(report) ? { title: t.none, text: t.noneText } : null)}
    >
      {report => (
        <BalanceCurve
          name={t.title}
          caption={<BalanceCaption report={report} />}
          points={report.points}
          deposits={report.deposits}
          perDay={report.pace?.perDay ?? null}
          heightPx={heightPx}
        />
      )}
    </ChartCard>
  )
}

const isUnused = ({ points, deposits }: BalanceReport): boolean =>
  deposits.length === 0 && points.every(({ balance, held }) => balance === 0 && held === 0)

const DAYS_A_YEAR = 365

function leftText(daysLeft: number): string {
  if (daysLeft > DAYS_A_YEAR) return t.overAYear
  return daysLeft > 0 ? t.lasts(countText(daysLeft, t.day)) : t.lessThanADay
}

function BalanceCaption({ report: { balance, held, pace, daysLeft } }: { report: BalanceReport }) {
  return (
    <>
      {daysLeft === null || pace === null ? (
        t.noPace(usdFromDollars(balance))
      ) : (
        <>
          <strong data-tone={daysLeft < LOW_BALANCE_DAYS ? 'red' : undefined}>
            {leftText(daysLeft)}
          </strong>{' '}
          {t.atPace(usdFromDollars(pace.perDay))}
        </>
      )}
      {held > 0 && ` ${t.held(usdFromDollars(held))}`}
    </>
  )
}
