import { countText } from '#contract/format.ts'
import { ChartCard } from '#web/charts/ChartCard.tsx'
import { peakOf, sumOf } from '#web/charts/series.ts'
import { StackedBars } from '#web/charts/StackedBars.tsx'
import { dayText } from '#web/ui/calendar.ts'
import { texts } from './texts.ts'
import { fromFirstUsed, weekStarts } from './week-starts.ts'

const t = texts.perWeek
const CHART_PX = 120
const KEY = 'sign-ups'

/** Sign-ups with a code by week. `perWeek`: the oldest first; undefined while loading. */
export function SignUpsChart({ perWeek }: { perWeek: readonly number[] | undefined }) {
  return (
    <ChartCard
      title={t.title}
      heightPx={CHART_PX}
      data={perWeek}
      failed={null}
      empty={weeks => (sumOf(weeks) === 0 ? { title: t.none(weeks.length) } : null)}
    >
      {weeks => <WeekBars weeks={fromFirstUsed(weeks)} />}
    </ChartCard>
  )
}

function WeekBars({ weeks }: { weeks: readonly number[] }) {
  const days = weekStarts(weeks.length)
  const peak = peakOf(weeks)
  return (
    <StackedBars
      weekly
      name={t.title}
      caption={peak && t.busiest(dayText(days[peak.day]!), countText(peak.value, t.signUp))}
      days={days}
      series={[{ key: KEY, name: t.signUps, values: weeks }]}
      order={[KEY]}
      totalName={t.signUps}
      unit="count"
      heightPx={CHART_PX}
    />
  )
}
