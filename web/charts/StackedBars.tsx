import type { ReactNode } from 'react'
import { dayText } from '#web/ui/calendar.ts'
import { ChartFigure } from './ChartFigure.tsx'
import type { ChartTable, LegendItem } from './ChartFigure.tsx'
import { weekdayText } from './days.ts'
import type { PointText } from './PlotArea.tsx'
import { dayTotals, OTHER_KEY, sumOf } from './series.ts'
import type { Series } from './series.ts'
import { FILLS } from './Swatch.tsx'
import type { Fill } from './Swatch.tsx'
import { texts } from './texts.ts'
import { valueText } from './ticks.ts'
import type { Unit } from './ticks.ts'

const loadPlot = () => import('./plots/StackedBarsPlot.tsx')

type StackedBarsProps = {
  name: string
  caption: ReactNode
  /** '2026-11-20', oldest first. */
  days: readonly string[]
  /** Each of `days` is the first of a week, whose sums are shown. */
  weekly?: boolean
  /** At most four, the first at the bottom; `foldSeries` makes them. */
  series: readonly Series[]
  /** Keys in the order of their fills, so that a series keeps its fill when its rank changes. */
  order: readonly string[]
  /** Amounts that are drawn below zero, such as refunds. */
  below?: { name: string; values: readonly number[] }
  /** What the sum of a day is called. */
  totalName?: string
  unit: Unit
  heightPx: number
}

export function StackedBars(props: StackedBarsProps) {
  const { name, caption, days, weekly = false, series, order, unit, heightPx } = props
  const totalName = props.totalName ?? texts.total
  const below = props.below?.values.some(value => value > 0) ? props.below : undefined
  const totals = dayTotals(series, days.length)
  const fillOfSeries = (key: string): Fill =>
    key === OTHER_KEY ? 4 : (FILLS[Math.max(0, order.indexOf(key))] ?? 4)
  // One series that is called as the sum says nothing that the sum does not.
  const parts = series.length === 1 && series[0]!.name === totalName ? [] : series
  const legend: LegendItem[] = [
    ...parts.map(({ key, name: of, values }) => ({
      name: of,
      mark: fillOfSeries(key),
      value: valueText(sumOf(values), unit),
    })),
    ...(below
      ? [{ name: below.name, mark: 'below' as const, value: valueText(sumOf(below.values), unit) }]
      : []),
  ]
  const textOf = (day: number): PointText => ({
    title: weekly ? texts.weekFrom(dayText(days[day]!)) : weekdayText(days[day]!),
    rows: [
      { name: totalName, value: valueText(totals[day]!, unit) },
      ...parts
        .filter(({ values }) => values[day])
        .map(({ key, name: of, values }) => ({
          name: of,
          value: valueText(values[day]!, unit),
          mark: fillOfSeries(key),
        })),
      ...(below?.values[day]
        ? [{ name: below.name, value: valueText(below.values[day], unit), mark: 'below' as const }]
        : []),
    ],
  })
  const table: ChartTable = {
    head: [
      weekly ? texts.week : texts.day,
      totalName,
      ...parts.map(one => one.name),
      ...(below ? [below.name] : []),
    ],
    rows: days
      .map((day, index) => [
        dayText(day),
        valueText(totals[index]!, unit),
        ...[...parts, ...(below ? [below] : [])].map(({ values }) =>
          valueText(values[index]!, unit),
        ),
      ])
      .toReversed(),
  }
  return (
    <ChartFigure
      name={name}
      caption={caption}
      legend={legend}
      table={table}
      heightPx={heightPx}
      load={loadPlot}
    >
      {({ StackedBarsPlot }, widthPx) => (
        <StackedBarsPlot
          name={name}
          days={days}
          series={series}
          fillOfSeries={fillOfSeries}
          below={below?.values ?? null}
          unit={unit}
          weekly={weekly}
          textOf={textOf}
          widthPx={widthPx}
          heightPx={heightPx}
        />
      )}
    </ChartFigure>
  )
}
