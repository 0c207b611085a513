import type { ReactNode } from 'react'
import { dayText } from '#web/ui/calendar.ts'
import { ChartFigure } from './ChartFigure.tsx'
import type { ChartTable } from './ChartFigure.tsx'
import { weekdayText } from './days.ts'
import type { PointText } from './PlotArea.tsx'
import { sumOf, trailingMeans } from './series.ts'
import type { Mark } from './Swatch.tsx'
import { texts } from './texts.ts'
import { valueText } from './ticks.ts'
import type { Unit } from './ticks.ts'

const loadPlot = () => import('./plots/MarginBarsPlot.tsx')

type NamedValues = { name: string; values: readonly number[] }

type MarginBarsProps = {
  name: string
  caption: ReactNode
  days: readonly string[]
  revenue: NamedValues
  cost: NamedValues
  /** Revenue less cost; below zero where labels cost more than they brought. */
  margin: NamedValues
  /** More about a day, in the tooltip and the table. */
  more?: { name: string; textOf: (day: number) => string }
  unit: Unit
  heightPx: number
}

/** A week: its average does not move with the days on which a seller is closed. */
export const AVERAGE_DAYS = 7

/**
 * One bar a day as high as its revenue: cost, and the margin on top of it; a loss is the part of the cost above revenue. The
 * margin's average of a week is among the numbers only: on the scale of the revenue it would be a flat line.
 */
export function MarginBars(props: MarginBarsProps) {
  const { name, caption, days, revenue, cost, margin, more, unit, heightPx } = props
  const average = {
    name: texts.average(margin.name, AVERAGE_DAYS),
    values: trailingMeans(margin.values, AVERAGE_DAYS),
  }
  const hasLoss = margin.values.some(value => value < 0)
  const shown: (NamedValues & { mark?: Mark })[] = [
    revenue,
    { ...cost, mark: 'cost' },
    { ...margin, mark: 'margin' },
    average,
  ]
  const textOf = (day: number): PointText => ({
    title: weekdayText(days[day]!),
    rows: [
      ...shown.map(one => ({
        name: one.name,
        value: valueText(one.values[day]!, unit),
        ...(one.mark && { mark: one.mark }),
      })),
      ...(more ? [{ name: more.name, value: more.textOf(day) }] : []),
    ],
  })
  const table: ChartTable = {
    head: [texts.day, ...shown.map(one => one.name), ...(more ? [more.name] : [])],
    rows: days
      .map((day, index) => [
        dayText(day),
        ...shown.map(({ values }) => valueText(values[index]!, unit)),
        ...(more ? [more.textOf(index)] : []),
      ])
      .toReversed(),
  }
  return (
    <ChartFigure
      name={name}
      caption={caption}
      legend={[
        ...shown.flatMap(({ name: of, mark, values }) =>
          mark ? [{ name: of, mark, value: valueText(sumOf(values), unit) }] : [],
        ),
        ...(hasLoss ? [{ name: texts.belowCost, mark: 'loss' as const }] : []),
      ]}
      table={table}
      heightPx={heightPx}
      load={loadPlot}
    >
      {({ MarginBarsPlot }, widthPx) => (
        <MarginBarsPlot
          name={name}
          days={days}
          revenue={revenue.values}
          cost={cost.values}
          unit={unit}
          textOf={textOf}
          widthPx={widthPx}
          heightPx={heightPx}
        />
      )}
    </ChartFigure>
  )
}
