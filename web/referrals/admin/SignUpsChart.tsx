import { countText } from '#contract/format.ts'
import { ChartCard } from '#web/charts/ChartCard.tsx'
import { sumOf } from '#web/charts/series.ts'
import { StackedBars } from '#web/charts/StackedBars.tsx'
import { texts } from './texts.ts'
import { weekStarts } from './week-starts.ts'

const t = texts.perWeek
const CHART_PX = 180
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
      {weeks => (
        <StackedBars
          weekly
          name={t.title}
          caption={t.caption(countText(sumOf(weeks), t.signUp), weeks.length)}
          days={weekStarts(weeks.length)}
          series={[{ key: KEY, name: t.signUps, values: weeks }]}
          order={[KEY]}
          totalName={t.signUps}
          unit="count"
          heightPx={CHART_PX}
        />
      )}
    </ChartCard>
  )
}
