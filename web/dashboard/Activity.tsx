/** The charts of the dashboard, over 7, 30 or 90 days; on phones one at a time. */
import { useState } from 'react'
import { REPORT_DAYS } from '#contract/reports.ts'
import type { ReportDays } from '#contract/reports.ts'
import { BalanceCard } from '#web/ledger/BalanceCard.tsx'
import { Segments } from '#web/ui/Segments.tsx'
import { useUrlSearch } from '#web/ui/use-url-search.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { DestinationsChart } from './DestinationsChart.tsx'
import { LabelsChart } from './LabelsChart.tsx'
import { texts } from './texts.ts'
import styles from './Dashboard.module.css'

const t = texts.activity
const CHART_PX = 264
const CHARTS = ['labels', 'destinations', 'balance'] as const
type ChartName = (typeof CHARTS)[number]
const DEFAULT_DAYS: ReportDays = 30

export function Activity() {
  const { days, setDays } = useDays()
  const phone = useIsPhone()
  const [chosen, setChosen] = useState<ChartName>('labels')
  const isShown = (chart: ChartName) => !phone || chart === chosen
  return (
    <section className={styles.activity} aria-labelledby="activity">
      <div className={styles.activityBar}>
        <h2 id="activity" className={styles.activityTitle}>
          {t.title(days)}
        </h2>
        <Segments
          label={t.days}
          options={REPORT_DAYS.map(value => ({ value, text: t.period(value) }))}
          value={days}
          onChange={setDays}
        />
      </div>
      {phone && (
        <Segments
          tabs
          label={t.charts}
          options={CHARTS.map(value => ({ value, text: t.chart[value] }))}
          value={chosen}
          onChange={setChosen}
        />
      )}
      <div className={styles.charts}>
        {isShown('labels') && <LabelsChart days={days} heightPx={CHART_PX} />}
        {isShown('destinations') && <DestinationsChart days={days} heightPx={CHART_PX} />}
        {isShown('balance') && <BalanceCard days={days} heightPx={CHART_PX} />}
      </div>
    </section>
  )
}

/** The days of the charts, in the URL (`?days=90`). */
function useDays(): { days: ReportDays; setDays: (days: ReportDays) => void } {
  const [search, changeSearch] = useUrlSearch()
  const asked = REPORT_DAYS.find(days => String(days) === search.get('days'))
  const setDays = (days: ReportDays) =>
    changeSearch(
      next => {
        if (days === DEFAULT_DAYS) next.delete('days')
        else next.set('days', String(days))
      },
      { replace: true },
    )
  return { days: asked ?? DEFAULT_DAYS, setDays }
}
