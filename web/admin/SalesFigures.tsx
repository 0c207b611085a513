/** Today, 7 days and 30 days side by side; on phones one of them. */
import { useState } from 'react'
import type { DashboardPeriod } from '#contract/admin.ts'
import { DASHBOARD_PERIOD_DAYS } from '#contract/admin.ts'
import { Card } from '#web/ui/Card.tsx'
import { dateText, timeText } from '#web/ui/date-text.ts'
import { Segments } from '#web/ui/Segments.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { FIGURE_ROWS } from './figure-rows.ts'
import type { FigureRow } from './figure-rows.ts'
import { texts } from './texts.ts'
import { ValuePlaceholder } from './ValuePlaceholder.tsx'
import styles from './AdminDashboard.module.css'

const t = texts.sales

type PeriodDays = (typeof DASHBOARD_PERIOD_DAYS)[number]

type SalesFiguresProps = {
  /** Undefined while loading. */
  periods: DashboardPeriod[] | undefined
  /** When the figures were loaded, in ms. `stale`: the last refresh failed. */
  at: number
  stale: boolean
}

export function SalesFigures({ periods, at, stale }: SalesFiguresProps) {
  const phone = useIsPhone()
  return (
    <Card
      title={t.title}
      className={styles.sales}
      action={
        periods && (
          <span
            className={styles.asOf}
            role={stale ? 'alert' : undefined}
            data-tone={stale ? 'yellow' : undefined}
          >
            {stale ? t.stale : t.asOf}{' '}
            <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>
          </span>
        )
      }
    >
      {phone ? <PeriodList periods={periods} /> : <PeriodTable periods={periods} />}
    </Card>
  )
}

function PeriodStartDate({ from }: { from: string }) {
  return (
    <span className={styles.periodStart}>
      {t.since} <time dateTime={from}>{dateText(from)}</time>
    </span>
  )
}

function FigureValue({ line, period }: { line: FigureRow; period: DashboardPeriod | undefined }) {
  if (!period) return <ValuePlaceholder />
  const detail = line.detail?.(period)
  return (
    <>
      {line.value(period)}
      {detail && <span className={styles.detail}>{detail}</span>}
    </>
  )
}

function PeriodTable({ periods }: { periods: DashboardPeriod[] | undefined }) {
  return (
    <table className={styles.table} aria-busy={periods === undefined || undefined}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{t.figure}</span>
          </th>
          {DASHBOARD_PERIOD_DAYS.map((days, at) => (
            <th key={days} scope="col">
              {t.period(days)}
              {periods?.[at] && days > 1 && <PeriodStartDate from={periods[at].from} />}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {FIGURE_ROWS.map(line => (
          <tr key={line.name}>
            <th scope="row">{line.name}</th>
            {DASHBOARD_PERIOD_DAYS.map((days, at) => (
              <td key={days}>
                <FigureValue line={line} period={periods?.[at]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** One period at a time. */
function PeriodList({ periods }: { periods: DashboardPeriod[] | undefined }) {
  const [days, setDays] = useState<PeriodDays>(DASHBOARD_PERIOD_DAYS[0])
  const period = periods?.[DASHBOARD_PERIOD_DAYS.indexOf(days)]
  return (
    <>
      <Segments
        block
        label={t.periods}
        options={DASHBOARD_PERIOD_DAYS.map(value => ({ value, text: t.period(value) }))}
        value={days}
        onChange={setDays}
      />
      <dl className={styles.list}>
        {FIGURE_ROWS.map(line => (
          <div key={line.name} className={styles.line}>
            <dt>{line.name}</dt>
            <dd>
              <FigureValue line={line} period={period} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
