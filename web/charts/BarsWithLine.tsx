import type { ReactNode } from 'react'
import { dayText } from '#web/ui/calendar.ts'
import { ChartFigure } from './ChartFigure.tsx'
import type { ChartTable } from './ChartFigure.tsx'
import { weekdayText } from './days.ts'
import type { PointText } from './PlotArea.tsx'
import { sumOf } from './series.ts'
import type { Mark } from './Swatch.tsx'
import { texts } from './texts.ts'
import { valueText } from './ticks.ts'
import type { Unit } from './ticks.ts'

const loadPlot = () => import('./plots/BarsWithLinePlot.tsx')

type NamedValues = { name: string; values: readonly number[] }

type BarsWithLineProps = {
  name: string
  caption: ReactNode
  days: readonly string[]
  wide: NamedValues
  narrow: NamedValues
  line: NamedValues
  /** More about a day, in the tooltip and the table. */
  more?: { name: string; textOf: (day: number) => string }
  unit: Unit
  heightPx: number
}

/** Two bars a day, one in the other, and a line over them. */
export function BarsWithLine(props: BarsWithLineProps) {
  const { name, caption, days, wide, narrow, line, more, unit, heightPx } = props
  const shown: (NamedValues & { mark: Mark })[] = [
    { ...wide, mark: 'wide' },
    { ...narrow, mark: 'narrow' },
    { ...line, mark: 'line' },
  ]
  const textOf = (day: number): PointText => ({
    title: weekdayText(days[day]!),
    rows: [
      ...shown.map(one => ({
        name: one.name,
        value: valueText(one.values[day]!, unit),
        mark: one.mark,
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
      legend={shown.map(({ name: of, mark, values }) => ({
        name: of,
        mark,
        value: valueText(sumOf(values), unit),
      }))}
      table={table}
      heightPx={heightPx}
      load={loadPlot}
    >
      {({ BarsWithLinePlot }, widthPx) => (
        <BarsWithLinePlot
          name={name}
          days={days}
          wide={wide.values}
          narrow={narrow.values}
          line={line.values}
          unit={unit}
          textOf={textOf}
          widthPx={widthPx}
          heightPx={heightPx}
        />
      )}
    </ChartFigure>
  )
}
