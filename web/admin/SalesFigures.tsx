/** Today, 7 days and 30 days side by side: a table, on phones a card each. */
import type { DashboardPeriod } from '#contract/admin.ts'
import { DASHBOARD_PERIOD_DAYS } from '#contract/admin.ts'
import { Card } from '#web/ui/Card.tsx'
import { dateText, timeText } from '#web/ui/date-text.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { FIGURE_ROWS } from './figure-rows.ts'
import type { FigureRow } from './figure-rows.ts'
import { texts } from './texts.ts'
import { ValuePlaceholder } from './ValuePlaceholder.tsx'
import styles from './AdminDashboard.module.css'

const t = texts.sales

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
      {phone ? <PeriodCards periods={periods} /> : <PeriodTable periods={periods} />}
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

function PeriodCards({ periods }: { periods: DashboardPeriod[] | undefined }) {
  return DASHBOARD_PERIOD_DAYS.map((days, at) => (
    <section key={days} className={styles.period}>
      <h3 className={styles.periodName}>
        {t.period(days)}
        {periods?.[at] && days > 1 && <PeriodStartDate from={periods[at].from} />}
      </h3>
      <dl className={styles.list}>
        {FIGURE_ROWS.map(line => (
          <div key={line.name} className={styles.line}>
            <dt>{line.name}</dt>
            <dd>
              <FigureValue line={line} period={periods?.[at]} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}
